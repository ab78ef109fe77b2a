#include "emu/machine.hpp"

#include <algorithm>

#include "emu/frame.hpp"
#include "emu/relocate.hpp"

namespace lockline::emu {
namespace {

Expected<LoadedModel> locate(const Block& block, std::size_t bytes, std::uint32_t address) {
  LoadedModel model{
      .block = address, .block_bytes = static_cast<std::uint32_t>(bytes), .skn = 0, .positions = 0};
  if (!block.skn) return model;
  const PositionArray* positions = block.skinned_positions();
  if (positions == nullptr) {
    return tl::unexpected(
        Error{ErrorCode::missing, block.skn->at, "SKN / header",
              "the block has a skin, but submesh 0 has no position array it could write to"});
  }
  model.skn = address + block.skn->at;
  model.positions = address + positions->data_at;
  return model;
}

Expected<void> validate(const MachineOptions& options, std::size_t bytes) {
  const auto refuse = [](const char* message) {
    return tl::unexpected(Error{ErrorCode::bad_value, 0, "machine", message});
  };
  if (options.block_address % cache_line != 0) return refuse("the block address must be a multiple of 32");
  const bool inside = options.block_address >= mem1_address &&
                      contains(mem1_bytes, options.block_address - mem1_address, bytes);
  if (!inside) return refuse("the block must lie inside the 24 MB at 0x80000000");
  if (options.max_faults == 0 || options.max_faults > max_fault_limit)
    return refuse("max_faults must be 1 to 4096");
  return {};
}

}  // namespace

Expected<Machine> Machine::load(Bytes bytes, const Block& block, const MachineOptions& options) {
  if (auto valid = validate(options, bytes.size()); !valid) return tl::unexpected(valid.error());
  auto model = locate(block, bytes.size(), options.block_address);
  if (!model) return tl::unexpected(model.error());
  AddressSpace space(*options.profile);
  if (!space.valid()) {
    return tl::unexpected(Error{ErrorCode::too_large, 0, "machine", "no memory for the emulated console"});
  }
  Machine machine(std::move(space), options);
  machine.place(bytes, block, *model);
  return machine;
}

Expected<void> Machine::reload(Bytes bytes, const Block& block) {
  if (auto valid = validate(options_, bytes.size()); !valid) return valid;
  auto model = locate(block, bytes.size(), options_.block_address);
  if (!model) return tl::unexpected(model.error());
  std::fill(memory_of_block_.begin(), memory_of_block_.end(), std::uint8_t{0});
  foreign_.clear(space_);
  space_.clear_locked_cache();
  trace_.clear();
  place(bytes, block, *model);
  return {};
}

void Machine::place(Bytes bytes, const Block& block, const LoadedModel& model) {
  model_ = model;
  trace_.leave_out(model.block, options_.trace ? 0 : model.block_bytes);
  facial_ = resolve_facial(block, model.block);
  memory_of_block_ = {space_.cpu(model.block, model.block_bytes), bytes.size()};
  std::copy(bytes.begin(), bytes.end(), memory_of_block_.begin());
  if (options_.pointers == Pointers::addresses) relocate(memory_of_block_, block, model.block);
  regular_ = RegularFrame::plan(space_, model_, options_);
}

FrameResult Machine::frame(std::span<const Matrix> palette, const FacialPoses* poses) {
  trace_.clear();
  FrameResult result = run_frame({.space = space_,
                                  .options = options_,
                                  .model = model_,
                                  .facial = facial_,
                                  .palette = palette,
                                  .poses = poses,
                                  .trace = trace_,
                                  .regular = regular_ ? &*regular_ : nullptr});
  for (const Write& w : trace_.writes()) {
    if (!contains(model_.block_bytes, w.address - model_.block, w.size)) foreign_.mark(w.address, w.size);
  }
  return result;
}

}  // namespace lockline::emu
