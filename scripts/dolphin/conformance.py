"""Compares Dolphin's answers with Lockline's: cases and expectations come from lockline-conformance (tests/conformance)."""

import pickle
import re
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import instructions
import jobs
import runner
from runner import CORE_NAMES

REPORT_LIMIT = 64
UNKNOWN_POINTER = re.compile(r"Unknown Pointer (0x[0-9a-f]+)", re.IGNORECASE)
EXPECTED_FAULT = re.compile(r"Unable to resolve (read|write) address ([0-9a-f]+) PC (.*)")
FIRST_FAULTS = 3  # of a frame that never ends: later ones depend on when Dolphin is stopped


@dataclass(frozen=True)
class Case:
    name: str
    block: bytes
    palette: bytes

    def kind(self):
        return self.name.split("/")[0]


@dataclass
class Answer:
    """What one side says of a case: faults as (access, address, PC or None), addresses the DMA engine refused, memory."""
    faults: list
    pointers: list
    memory: bytes
    other: list = field(default_factory=list)  # anything that should not be there
    died: bool = False

    def ends(self):
        return bool(self.memory)


class Tool:
    """The program lockline-conformance, with its files in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = str(program), Path(folder)

    def call(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout

    def make_cases(self, vectors, seed, count):
        path = self.folder / "cases"
        said = self.call("cases", path, "--vectors", vectors, "--seed", seed, "--random", count)
        return read_cases(path), said

    def expect(self, cases_path, core):
        path = self.folder / f"expected.{core}"
        self.call("expect", cases_path, path, "--core", label(core))
        return read_answers(path)

    def operations(self, packed, core):
        source, results, faults = (self.folder / n for n in ("operations", "results", "faults"))
        source.write_bytes(packed)
        self.call("operations", source, results, faults, "--core", label(core))
        return results.read_bytes(), faults.read_text().splitlines()


def label(core):
    return CORE_NAMES[core].lower()


def chunks(path):
    data, at = Path(path).read_bytes(), 0
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        yield data[at + 4:at + 4 + size]
        at += 4 + size


def write_chunks(path, parts):
    with open(path, "wb") as file:
        for part in parts:
            file.write(struct.pack(">I", len(part)) + part)


def read_cases(path):
    found = list(chunks(path))
    return [Case(name.decode(), block, palette) for name, block, palette in zip(found[0::3], found[1::3], found[2::3])]


def write_cases(path, cases):
    write_chunks(path, [part for c in cases for part in (c.name.encode(), c.block, c.palette)])


def read_answers(path):
    found = list(chunks(path))
    return [expected_answer(lines.decode().splitlines(), memory) for lines, memory in zip(found[0::2], found[1::2])]


def expected_answer(lines, memory):
    answer = Answer([], [], memory)
    for line in lines:
        fault, pointer = EXPECTED_FAULT.match(line), UNKNOWN_POINTER.match(line)
        if fault:
            pc = fault.group(3)
            known = re.fullmatch("[0-9a-f]{8}", pc)
            answer.faults.append((fault.group(1), int(fault.group(2), 16), int(pc, 16) if known else None))
        elif pointer:
            answer.pointers.append(int(pointer.group(1), 16))
        else:
            answer.other.append(line)
    return answer


def observed_answer(job, result):
    answer = Answer([(f.access, f.address, f.pc) for _, f in result.faults], [], b"", died=result.died)
    for _, line in result.alerts:
        pointer = UNKNOWN_POINTER.search(line)
        if pointer:
            answer.pointers.append(int(pointer.group(1), 16))
        else:
            answer.other.append(line)
    if result.damaged:
        answer.other.append(f"{result.damaged} lines of the guest arrived damaged")
    if result.finished:
        answer.memory = b"".join(result.part(job, i) for i in range(job.parts + 1))
    return answer


def job_for(case, expected):
    job = (jobs.frame_and_around_job(case.name, case.block, case.palette, expected.memory) if expected.ends()
           else jobs.frame_job(case.name, case.block, case.palette))
    job.runs_away = not expected.ends()
    return job


def difference(expected, observed):
    """One line on the first difference, or nothing."""
    if expected.ends() and not observed.ends():
        return f"Dolphin {'died' if observed.died else 'did not end'}, Lockline ended; first fault {fault_text(observed.faults[:1])}"
    if observed.ends() and not expected.ends():
        return f"Dolphin ended, Lockline stopped at {fault_text(expected.faults[:1])}"
    count = None if expected.ends() else FIRST_FAULTS
    if observed.died and not observed.faults:
        return None  # the JIT's own crash at an access it cannot serve: see emu/README.md; counted by the caller
    if not same_faults(expected.faults[:count], observed.faults[:count]):
        return f"faults: Dolphin {fault_text(observed.faults[:count])}, Lockline {fault_text(expected.faults[:count])}"
    if expected.ends() and expected.pointers != observed.pointers or expected.pointers[:1] != observed.pointers[:1]:
        return f"refused DMA: Dolphin {hex_list(observed.pointers[:3])}, Lockline {hex_list(expected.pointers[:3])}"
    if observed.other or expected.other:
        return "unexpected: " + "; ".join((observed.other + expected.other)[:3])
    if expected.memory != observed.memory and expected.ends():
        return memory_difference(expected.memory, observed.memory)
    return None


def same_faults(expected, observed):
    return len(expected) == len(observed) and all(
        e[:2] == o[:2] and (e[2] is None or e[2] == o[2]) for e, o in zip(expected, observed))


def memory_difference(expected, observed):
    if len(expected) != len(observed):
        return f"memory: {len(observed)} bytes from Dolphin, {len(expected)} from Lockline"
    if expected[:-jobs.DIGEST_BYTES] == observed[:-jobs.DIGEST_BYTES]:
        return "the block is the same, memory around it is not"
    different = [i for i, (e, o) in enumerate(zip(expected, observed)) if e != o]
    at = different[0]
    return (f"{len(different)} bytes differ, first at {at:#x} of the images: "
            f"Dolphin {observed[at:at + 8].hex()}, Lockline {expected[at:at + 8].hex()}")


def fault_text(faults):
    return ", ".join(f"{access} {address:08x} PC {'?' if pc is None else format(pc, '08x')}" for access, address, pc in faults) or "none"


def hex_list(values):
    return ", ".join(f"{v:08x}" for v in values) or "none"


@dataclass
class Row:
    """One line of the table."""
    cases: int = 0
    frames: int = 0
    bytes: int = 0
    faults: int = 0
    died: int = 0
    differences: int = 0


@dataclass
class Outcome:
    rows: dict
    failures: list  # (core, name, text)

    def count(self, core, kind):
        return self.rows.setdefault((core, kind), Row())


def ask_dolphin(run, cases, expected, core):
    """Dolphin's answers, in the cases' order. Those that never end come last: each costs a start."""
    order = sorted(range(len(cases)), key=lambda i: not expected[i].ends())
    batch = [job_for(cases[i], expected[i]) for i in order]
    answers = [None] * len(cases)
    for i, job, result in zip(order, batch, run.run(batch, core, REPORT_LIMIT)):
        answers[i] = observed_answer(job, result)
    return answers


def compare_cases(outcome, core, cases, expected, answers):
    for case, wanted, got in zip(cases, expected, answers):
        row = outcome.count(core, case.kind())
        row.cases += 1
        row.frames += struct.unpack_from(">I", case.palette)[0] if wanted.ends() else 1
        row.bytes += len(wanted.memory) - jobs.DIGEST_BYTES if wanted.ends() else 0
        row.faults += bool(wanted.faults or wanted.pointers)
        row.died += got.died
        text = difference(wanted, got)
        if text:
            row.differences += 1
            outcome.failures.append((core, case.name, text))


def ask_operations(run, core, names):
    """Dolphin's results of the instruction tests: name -> (results, fault lines)."""
    batch = [jobs.operations_job(name, instructions.packed(name)) for name in names]
    found = {}
    for job, result in zip(batch, run.run(batch, core)):
        lines = [f"{operation} {fault.access} {fault.address:08x}" for operation, fault in result.faults]
        found[job.name] = (result.part(job, 0) if result.finished else b"", lines)
    return found


def compare_operations(outcome, core, tool, recorded):
    row = outcome.count(core, "instructions")
    for name, (results, lines) in recorded.items():
        wanted, wanted_lines = tool.operations(instructions.packed(name), core)
        row.cases += len(wanted) // 32
        row.bytes += len(wanted)
        row.faults += len(wanted_lines)
        wrong = [i for i in range(0, len(wanted), 32) if wanted[i:i + 32] != results[i:i + 32]]
        wrong_lines = sum(a != b for a, b in zip(wanted_lines, lines)) + abs(len(wanted_lines) - len(lines))
        row.differences += len(wrong) + wrong_lines
        if wrong:
            i = wrong[0]
            outcome.failures.append((core, f"instructions/{name}", f"{len(wrong)} operations; first {i // 32}: Dolphin "
                                     f"{results[i:i + 32].hex(' ', 4)}, Lockline {wanted[i:i + 32].hex(' ', 4)}"))
        if wrong_lines:
            outcome.failures.append((core, f"instructions/{name}", f"{wrong_lines} fault lines; Dolphin {lines[:3]}, Lockline {wanted_lines[:3]}"))


def table(outcome):
    lines = [f"{'kind':<14}{'core':<13}{'cases':>8}{'frames':>8}{'bytes compared':>16}{'faults':>8}{'died':>6}{'differences':>13}"]
    for (core, kind), r in outcome.rows.items():
        lines.append(f"{kind:<14}{label(core):<13}{r.cases:>8}{r.frames:>8}{r.bytes:>16,}{r.faults:>8}{r.died:>6}{r.differences:>13}")
    return "\n".join(lines)


def keep(folder, case, expected, answer, core):
    """Leaves a failing case as files that replay it."""
    stem = Path(folder) / case.name.replace("/", "-")
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_suffix(".block").write_bytes(case.block)
    stem.with_suffix(".palette").write_bytes(case.palette)
    for side, memory in (("lockline", expected.memory), (f"dolphin-{label(core)}", answer.memory)):
        stem.with_suffix(f".{side}").write_bytes(memory[:-jobs.DIGEST_BYTES])
    write_cases(stem.with_suffix(".cases"), [case])
    return f"./scripts/dolphin-conformance --core {label(core)} --replay {stem.with_suffix('.cases')}"


def record(folder, core, answers, operations):
    """Keeps Dolphin's answers so that another build of Lockline can be compared with them without Dolphin."""
    with open(folder / f"answers.{label(core)}", "wb") as file:
        pickle.dump((answers, operations), file)


def recorded(folder, core):
    with open(folder / f"answers.{label(core)}", "rb") as file:
        return pickle.load(file)
