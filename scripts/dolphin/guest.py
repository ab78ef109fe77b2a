"""Builds the guest program with the powerpc cross tools and packs it, with job data in MEM2, into a DOL."""

import struct
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "guest"
JOB_DATA = 0x90000000
ENTRY = 0x80003100
FLAGS = ["-mcpu=750", "-Wa,-m750cl,-mregnames", "-mbig-endian", "-msoft-float", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-ffreestanding",
         "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-fno-strict-aliasing", "-fno-pic", "-fno-asynchronous-unwind-tables",
         "-msdata=none", "-G0", "-nostdlib", "-nostartfiles", "-static", "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments,-z,noexecstack"]


def build(folder, compiler="powerpc-linux-gnu-gcc"):
    """Compiles the guest into folder/guest.elf and returns its loadable segments as (address, bytes)."""
    elf = Path(folder) / "guest.elf"
    sources = [str(p) for p in sorted(SOURCES.iterdir()) if p.suffix in (".c", ".S")]
    subprocess.run([compiler, *FLAGS, "-T", str(SOURCES / "guest.ld"), "-o", str(elf), *sources], check=True)
    return segments(elf.read_bytes())


def segments(elf):
    (table,) = struct.unpack_from(">I", elf, 0x1C)
    size, count = struct.unpack_from(">HH", elf, 0x2A)
    found = []
    for i in range(count):
        kind, offset, address, _, stored, total = struct.unpack_from(">6I", elf, table + i * size)
        if kind == 1 and total:
            found.append((address, elf[offset:offset + stored].ljust(total, b"\0")))
    return found


def dol(text, data):
    """A DOL file from text segments and data segments, each (address, bytes)."""
    offsets, addresses, sizes = [0] * 18, [0] * 18, [0] * 18
    body = b""
    placed = list(zip(range(7), text)) + list(zip(range(7, 18), data))
    for slot, (address, content) in placed:
        offsets[slot], addresses[slot], sizes[slot] = 0x100 + len(body), address, len(content)
        body += content.ljust((len(content) + 31) & ~31, b"\0")
    header = struct.pack(">54I", *offsets, *addresses, *sizes) + struct.pack(">3I", 0, 0, ENTRY)
    return header.ljust(0x100, b"\0") + body
