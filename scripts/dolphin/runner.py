"""Runs job lists in a headless Dolphin and collects what the guest and Dolphin say."""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import guest
import jobs as job_lists

INTERPRETER, JIT = 0, 1
MAIN_MEMORY_BYTES = 24 << 20
CORE_NAMES = {INTERPRETER: "interpreter", JIT: "JIT"}

DOLPHIN_INI = """[Core]
CPUCore = {core}
SkipIPL = True
CPUThread = False
DSPHLE = True
EmulationSpeed = 0.0
{core_options}
[DSP]
Backend = No Audio Output
[Analytics]
Enabled = False
PermissionAsked = True
[Interface]
UsePanicHandlers = True
"""
LOGGER_INI = """[Options]
Verbosity = 4
WriteToConsole = True
[Logs]
OSREPORT = True
MASTER = True
BOOT = True
"""
GUEST_LINE = re.compile(r"@([JDEPQ]) ([0-9a-f ]*)\*([0-9a-f]{4})")
FAULT_LINE = re.compile(r"Unable to resolve (read|write) address ([0-9a-f]+) PC ([0-9a-f]+)"
                        r"|Invalid (read|write) (?:from|to) 0x([0-9a-f]+), PC = 0x([0-9a-f]+)")
OTHER_ALERT = re.compile(r"Unknown Pointer|Invalid range|Unable to resolve|IntCPU|Illegal|Unknown instruction|Trying to", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    access: str
    address: int
    pc: int


@dataclass
class Result:
    """What one job gave. A job that never ended has finished = False and, if it ran away, its first faults."""
    finished: bool = False
    faults: list = field(default_factory=list)     # (announced operation or None, Fault)
    alerts: list = field(default_factory=list)     # other lines Dolphin printed meanwhile
    rows: list = field(default_factory=list)       # (part, offset, bytes) that differ from the reference
    damaged: int = 0                               # guest lines whose checksum failed
    died: bool = False                             # Dolphin itself ended during this job

    def clean(self):
        return self.finished and not (self.faults or self.alerts or self.rows or self.damaged)

    def part(self, job, index):
        """The bytes of one part as the guest had them (complete only without a report limit)."""
        image = bytearray(job.part(index))
        for part, offset, content in self.rows:
            if part == index:
                image[offset:offset + len(content)] = content
        return bytes(image)


class DolphinMissing(Exception):
    pass


def end_tidily_when_terminated():
    """SIGTERM becomes an exception, so that Dolphin is ended and temporary folders go."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


class Runner:
    """Builds the guest once, then runs any number of job lists. Use as a context manager: it owns a temporary folder."""

    def __init__(self, dolphin=None, fault_limit=8, quiet_seconds=30.0, core_options=""):
        self.dolphin = find_dolphin(dolphin)
        self.fault_limit = fault_limit
        self.quiet_seconds = quiet_seconds
        self.core_options = core_options
        self.starts = 0
        self.keep_memory = None  # a path: the console's main memory as it stands at the end of a start

    def __enter__(self):
        in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # Dolphin syncs its many small files
        self.folder = Path(tempfile.mkdtemp(prefix="lockline-dolphin-", dir=in_memory))
        try:
            self.text = guest.build(self.folder)
        except FileNotFoundError as missing:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise DolphinMissing(f"{missing.filename} is not installed (Debian: apt install gcc-powerpc-linux-gnu)") from missing
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, jobs, core, limit=job_lists.NO_LIMIT):
        """Runs all jobs on one core. A job that runs away or falls silent costs a restart for those after it."""
        results = []
        for batch in job_lists.batches(jobs):
            while batch:
                done = self.run_once(batch, core, limit)
                results += done
                batch = batch[len(done):]
        return results

    def run_once(self, batch, core, limit):
        """One start of Dolphin. Returns a result for each job it got to."""
        program = self.folder / "program.dol"
        program.write_bytes(guest.dol(self.text, [(guest.JOB_DATA, job_lists.pack(batch, limit))]))
        user = self.user_folder(core)
        log = Log()
        process = subprocess.Popen([self.dolphin, "-u", str(user), "-v", "Null", "-p", "headless", "-e", str(program)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.starts += 1
        try:
            self.follow(process, log)
            if self.keep_memory and process.poll() is None:
                Path(self.keep_memory).write_bytes(main_memory(process.pid))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        if not log.results:
            raise RuntimeError("the guest did not start; Dolphin said:\n" + "\n".join(log.other[-20:]))
        return log.results

    def user_folder(self, core):
        user = self.folder / f"user{core}"
        if not user.exists():
            (user / "Config").mkdir(parents=True)
            (user / "Config" / "Dolphin.ini").write_text(DOLPHIN_INI.format(core=core, core_options=self.core_options))
            (user / "Config" / "Logger.ini").write_text(LOGGER_INI)
        return user

    def follow(self, process, log):
        rest = b""
        heard = time.monotonic()
        pipe = process.stdout.fileno()
        while time.monotonic() - heard < self.quiet_seconds:
            if not select.select([pipe], [], [], 1.0)[0]:
                continue
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                log.end_of_output()
                return
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if log.take(line.decode("latin-1")):
                    heard = time.monotonic()
                if log.closed or log.fault_count() >= self.fault_limit:
                    return


class Log:
    """Sorts output lines to the job they belong to."""

    def __init__(self):
        self.results = []
        self.other = []
        self.operation = None
        self.closed = False
        self.logged = None  # the alert Dolphin logged last: it prints it again, bare

    def fault_count(self):
        if not self.results or self.results[-1].finished:
            return 0
        return sum(1 for operation, _ in self.results[-1].faults if operation == self.operation)

    def take(self, line):
        """Takes one line; True when it was one that matters."""
        said = GUEST_LINE.search(line)
        if said:
            self.guest_line(line, said)
            return True
        fault = FAULT_LINE.search(line)
        current = self.results[-1] if self.results else None
        if self.repeats(line):
            return False
        if fault and current:
            access, address, pc = fault.groups()[:3] if fault.group(1) else fault.groups()[3:]
            current.faults.append((self.operation, Fault(access, int(address, 16), int(pc, 16))))
            return True
        if current and OTHER_ALERT.search(line):
            current.alerts.append((self.operation, line.strip()))
        self.other.append(line)
        return False

    def end_of_output(self):
        if self.results and not self.results[-1].finished:
            self.results[-1].died = True

    def repeats(self, line):
        again = self.logged is not None and line == self.logged
        mark = "]: Warning: "
        self.logged = line[line.index(mark) + len(mark):] if mark in line else None
        return again

    def guest_line(self, line, said):
        tag, fields, checksum = said.group(1), said.group(2).split(), int(said.group(3), 16)
        covered = line[said.start():said.start(3) - 1]
        if sum(covered.encode("latin-1")) & 0xFFFF != checksum:
            if self.results:
                self.results[-1].damaged += 1
        elif tag == "J":
            self.results.append(Result())
            self.operation = None
        elif tag == "P":
            self.operation = int(fields[1], 16)
        elif tag == "D":
            self.results[-1].rows.append((int(fields[1], 16), int(fields[2], 16), bytes.fromhex(fields[3])))
        elif tag == "E":
            self.results[-1].finished = True
        else:
            self.closed = True


def main_memory(pid):
    """The 24 MB at 0x80000000 of a running Dolphin: the beginning of the shared memory object that it maps everywhere (Linux)."""
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        span, _, offset, *rest = line.split(maxsplit=5)
        if rest and "/dev/shm/dolphin-emu" in rest[-1] and int(offset, 16) == 0:
            with open(f"/proc/{pid}/mem", "rb", 0) as memory:
                memory.seek(int(span.split("-")[0], 16))
                return memory.read(MAIN_MEMORY_BYTES)
    raise RuntimeError("this Dolphin's memory was not found")


def find_dolphin(path=None):
    found = shutil.which(path) if path else shutil.which("dolphin-emu-nogui") or shutil.which("/usr/games/dolphin-emu-nogui")
    if not found:
        raise DolphinMissing(f"no Dolphin at {path}" if path else "dolphin-emu-nogui is not installed (Debian: apt install dolphin-emu)")
    return found
