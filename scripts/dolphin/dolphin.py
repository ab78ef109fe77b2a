#!/usr/bin/env python3
"""Runs Lockline's guest program in a real, headless Dolphin.

  vectors        reproduce tests/vectors (images, kernels, faults) on both cores
  instructions   run the instruction tests, write operations and results as binary files
  profile        say which float profile this Dolphin follows
  frame          run one block under one palette and write the images, the memory
  ram            run tests/vectors and show that `lockline palette --ram` finds each block and its last palette in Dolphin's memory
"""

import argparse
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import instructions
import jobs
import runner
from runner import CORE_NAMES, INTERPRETER, JIT

REPOSITORY = Path(__file__).resolve().parents[2]
VECTORS = REPOSITORY / "tests" / "vectors"
PROGRAM = REPOSITORY / "build" / "release" / "lockline"
CORES = {"interpreter": [INTERPRETER], "jit": [JIT], "both": [INTERPRETER, JIT]}
NO_DOLPHIN = 3
REPORT_LIMIT = 64


def vector_jobs():
    """(job, expected first faults or None) for everything in tests/vectors."""
    found = []
    for block in sorted((VECTORS / "frames").glob("*.block")):
        palette, images, fault = (block.with_suffix(s) for s in (".palette", ".frames", ".fault"))
        expected = images.read_bytes() if images.exists() else None
        job = jobs.frame_job(block.stem, block.read_bytes(), palette.read_bytes(), expected)
        job.runs_away = fault.exists()
        found.append((job, parse_faults(fault.read_text()) if fault.exists() else None))
    for vectors in sorted((VECTORS / "kernels").glob("*.in")):
        found.append((jobs.kernel_job(vectors.stem, vectors.read_bytes(), vectors.with_suffix(".dolphin").read_bytes()), None))
    return found


def parse_faults(text):
    words = [line.split() for line in text.splitlines()]
    return [runner.Fault(w[3], int(w[5], 16), int(w[7], 16)) for w in words]


def first_faults(result, count=3):
    return [fault for _, fault in result.faults[:count]]


def vectors(run, options):
    cases = vector_jobs()
    failed = 0
    for core in CORES[options.core]:
        start = time.monotonic()
        results = run.run([job for job, _ in cases], core, REPORT_LIMIT)
        right = 0
        for (job, faults), result in zip(cases, results):
            good = result.clean() if faults is None else first_faults(result) == faults
            right += good
            if not good:
                print(f"  {job.name}: {describe(result)}")
        failed += len(cases) - right
        print(f"{CORE_NAMES[core]}: {right} of {len(cases)} vectors reproduced, {time.monotonic() - start:.1f} s")
    return 1 if failed else 0


def describe(result):
    said = ["ended" if result.finished else "Dolphin died" if result.died else "did not end"]
    said += [f"{f.access} fault at {f.address:08x}, PC {f.pc:08x}" for f in first_faults(result)]
    said += [f"part {part} offset {offset:#x} differs: {content.hex()}" for part, offset, content in result.rows[:3]]
    said += [line for _, line in result.alerts[:3]]
    return "; ".join(said)


def run_instructions(run, options):
    """Writes NAME.operations, and per core NAME.CORE (results) and NAME.CORE.faults (operation, access, address)."""
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    names = options.sets or list(instructions.SETS)
    batch = [jobs.operations_job(name, instructions.packed(name)) for name in names]
    failed = 0
    for job in batch:
        (out / f"{job.name}.operations").write_bytes(job.inputs[0])
    for core in CORES[options.core]:
        label = CORE_NAMES[core].lower()
        for job, result in zip(batch, run.run(batch, core)):
            failed += not result.finished
            (out / f"{job.name}.{label}").write_bytes(result.part(job, 0))
            lines = [f"{operation} {fault.access} {fault.address:08x}\n" for operation, fault in result.faults]
            (out / f"{job.name}.{label}.faults").write_text("".join(lines))
            print(f"{label} {job.name}: {job.part_bytes // 32} operations, {len(lines)} faults{'' if result.finished else ', DID NOT END'}")
    return 1 if failed else 0


def float_profile(run, core):
    """dolphin-5 (sums rounded twice), console (once), or neither, by the vectors in which the two differ."""
    source = VECTORS / "kernels" / "rounding.in"
    for profile, suffix in (("dolphin-5", ".dolphin"), ("console", ".console")):
        job = jobs.kernel_job(profile, source.read_bytes(), source.with_suffix(suffix).read_bytes())
        if run.run([job], core, REPORT_LIMIT)[0].clean():
            return profile
    return "neither"


def profile(run, options):
    found = {core: float_profile(run, core) for core in CORES[options.core]}
    for core, name in found.items():
        print(f"{CORE_NAMES[core]}: {name}")
    return 1 if "neither" in found.values() else 0


def frame(run, options):
    job = jobs.frame_job(Path(options.block).stem, Path(options.block).read_bytes(), Path(options.palette).read_bytes())
    run.keep_memory = options.ram
    result = run.run([job], CORES[options.core][-1])[0]
    for fault in first_faults(result):
        print(f"Unable to resolve {fault.access} address {fault.address:08x} PC {fault.pc:08x}")
    if not result.finished:
        print("the frame did not end")
        return 1
    if options.images:
        Path(options.images).write_bytes(b"".join(result.part(job, i) for i in range(job.parts)))
    return 0


def recovered_wrongly(block, palette, memory, folder):
    """Bones whose matrix is neither the palette's last one nor, since no entry uses it, the identity. None: no palette came out."""
    out = Path(folder) / "recovered.palette"
    if subprocess.run([PROGRAM, "palette", block, "--ram", memory, "-o", out], capture_output=True, check=False).returncode != 0:
        return None
    bones = struct.unpack_from(">I", palette, 4)[0]
    identity = struct.pack(">12f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)
    matrices = [content[-48 * bones:][48 * bone:][:48] for content in (palette, out.read_bytes()) for bone in range(bones)]
    pairs = list(zip(matrices[:bones], matrices[bones:]))
    wrong = [bone for bone, (used, found) in enumerate(pairs) if found not in (used, identity)]
    return wrong if any(used == found != identity for used, found in pairs) else None


def ram(run, options):
    failed = 0
    blocks = [block for block in sorted((VECTORS / "frames").glob("*.block")) if block.with_suffix(".frames").exists()]
    with tempfile.TemporaryDirectory() as folder:
        run.keep_memory = Path(folder) / "mem1.raw"
        for block in blocks:
            palette = block.with_suffix(".palette").read_bytes()
            run.run([jobs.frame_job(block.stem, block.read_bytes(), palette)], CORES[options.core][-1])
            wrong = recovered_wrongly(block, palette, run.keep_memory, folder)
            if wrong != []:
                failed += 1
                print(f"{block.stem}: {'no palette' if wrong is None else f'bones {wrong}'}")
    print(f"{len(blocks) - failed} of {len(blocks)} palettes found in Dolphin's memory, bit for bit")
    return 1 if failed else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dolphin", help="another dolphin-emu-nogui")
    parser.add_argument("--core", choices=CORES, default="both", help="frame uses the JIT when both are named")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("vectors").set_defaults(command=vectors)
    commands.add_parser("profile").set_defaults(command=profile)
    command = commands.add_parser("instructions")
    command.add_argument("--out", required=True)
    command.add_argument("--sets", nargs="*", choices=instructions.SETS)
    command.set_defaults(command=run_instructions)
    commands.add_parser("ram").set_defaults(command=ram)
    command = commands.add_parser("frame")
    command.add_argument("block")
    command.add_argument("palette")
    command.add_argument("--images")
    command.add_argument("--ram", help="where the console's main memory goes, as mem1.raw")
    command.set_defaults(command=frame)
    return parser.parse_args()


def main():
    options = arguments()
    try:
        with runner.Runner(options.dolphin) as run:
            return options.command(run, options)
    except runner.DolphinMissing as missing:
        print(missing, file=sys.stderr)
        return NO_DOLPHIN


if __name__ == "__main__":
    sys.exit(main())
