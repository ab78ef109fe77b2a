#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "corpus/animation.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "corpus/game.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/session.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string name, out, animation;
  bool all = false;
};

void list(Session& session) {
  for (const corpus::Recipe& recipe : corpus::bundled())
    session.output.print(fmt::format("{:<28} {}\n", recipe.name, recipe.description));
}

void show(const std::string& name, Session& session) {
  if (const auto source = corpus::bundled_source(name)) return session.output.print(*source);
  session.take(name, corpus::find(name));
}

void build(const corpus::Recipe& recipe, const std::string& path, Session& session) {
  const auto bytes = session.take(recipe.name, corpus::build_bytes(recipe));
  if (bytes) session.check(path, write_file(path, *bytes));
}

void build_animation(const corpus::Recipe& recipe, const std::string& path, Session& session) {
  session.check(path, write_file(path, serialize(corpus::build_animation(recipe))));
}

void build(const Arguments& a, Session& session) {
  if (a.all) {
    for (const corpus::Recipe& recipe : corpus::bundled()) {
      const std::string stem = fmt::format("{}/{}", a.out, recipe.name);
      build(recipe, stem + ".block", session);
      build_animation(recipe, stem + ".anm", session);
    }
  } else if (const auto recipe = session.take(a.name, corpus::find(a.name))) {
    build(*recipe, a.out, session);
    if (!a.animation.empty()) build_animation(*recipe, a.animation, session);
  }
}

/// main.dol and dt_na.dat; what is between the extents takes no room where the file system can leave it out.
void write_game(const std::string& folder, Session& session) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto game = session.take(folder, corpus::make_game());
  if (!game || !session.check(folder + "/main.dol", write_file(folder + "/main.dol", game->dol))) return;
  std::ofstream dat(folder + "/dt_na.dat", std::ios::binary | std::ios::trunc);
  for (const auto& extent : game->extents) {
    dat.seekp(static_cast<std::streamoff>(extent.offset));
    dat.write(reinterpret_cast<const char*>(extent.bytes.data()),
              static_cast<std::streamsize>(extent.bytes.size()));
  }
  dat.seekp(static_cast<std::streamoff>(game->size - 1));
  dat.put('\0');
  dat.close();
  if (!dat) session.fail(folder + "/dt_na.dat", "cannot write");
}

void add_game(CLI::App& parent, const std::shared_ptr<Arguments>& a, Session& session) {
  CLI::App* command =
      parent.add_subcommand("game", "Write a made-up game, main.dol and dt_na.dat, to try 'scan' on");
  command
      ->add_option("folder", a->out,
                   "Where the two files go; 680 MB, mostly left out by file systems that can")
      ->required()
      ->type_name("FOLDER");
  command->callback([a, &session] { write_game(a->out, session); });
}

void add_build(CLI::App& parent, const std::shared_ptr<Arguments>& a, Session& session) {
  CLI::App* command = parent.add_subcommand("build", "Write a bundled model, or all of them");
  auto* which = command->add_option_group("which", "What to build");
  which->add_option("name", a->name, "Recipe, as 'corpus list' names it")->type_name("NAME");
  which->add_flag("--all", a->all,
                  "Every recipe with its animations, NAME.block and NAME.anm; -o then names a folder "
                  "that exists");
  which->require_option(1);
  command->add_option("-o,--out", a->out, "Where the model block goes")->required()->type_name("PATH");
  command->add_option("--anim", a->animation, "Where an animation bank for the model's skeleton goes")
      ->type_name("PATH");
  command->callback([a, &session] { build(*a, session); });
}

}  // namespace

void add_corpus(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* corpus = app.add_subcommand("corpus", "The bundled models, clean ones and broken ones");
  corpus->require_subcommand(1);
  corpus->add_subcommand("list", "Name and describe them")->callback([&session] { list(session); });
  CLI::App* show_command = corpus->add_subcommand("show", "Print a recipe as JSON");
  show_command->add_option("name", a->name, "Recipe, as 'corpus list' names it")
      ->required()
      ->type_name("NAME");
  show_command->callback([a, &session] { show(a->name, session); });
  add_build(*corpus, a, session);
  add_game(*corpus, a, session);
  corpus->add_subcommand("check", "Check every bundled model and compare with the verdict it is made for")
      ->callback([&session] { check_corpus(session); });
  corpus->footer(
      "Example:\n  lockline corpus build sk1-one-odd -o broken.block && lockline check broken.block\n");
}

}  // namespace lockline::cli
