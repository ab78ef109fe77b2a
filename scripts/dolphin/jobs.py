"""Jobs for the guest: what to run, on which bytes, and the reference its results are compared with inside the guest."""

import struct
from dataclasses import dataclass, field

FRAMES, KERNELS, OPERATIONS, FRAMES_AND_AROUND = 1, 2, 3, 4
DIGEST_BYTES = 32
NO_LIMIT = 0xFFFFFFFF
CAPACITY = 24 << 20  # job data of one run; MEM2 holds more than twice that


@dataclass
class Job:
    """One job. `reference` is what the results should be; parts are `stride` bytes apart (0: the same for every part)."""
    name: str
    kind: int
    inputs: list                     # byte strings, each becomes an offset in the job's arguments
    reference: bytes = b""
    part_bytes: int = 0
    stride: int = 0
    parts: int = 1
    numbers: dict = field(default_factory=dict)
    runs_away: bool = False          # expected never to end: nothing is put after it in the same run

    def size(self):
        return 32 + sum(align(len(b)) for b in self.inputs) + align(len(self.reference))

    def part(self, index):
        at = index * self.stride
        return self.reference[at:at + self.part_bytes]


def frame_job(name, block, palette, images=None):
    """Runs a block under a palette file's frames. With `images` (one per frame, joined) the guest reports only what differs from
    them; without, what differs from the block."""
    frames, bones = struct.unpack_from(">2I", palette)
    return Job(name, FRAMES, [block, palette[8:] + bytes(256)], images if images else block, len(block), len(block) if images else 0, frames,
               {"frames": frames, "bones": bones})


def frame_and_around_job(name, block, palette, memory):
    """Like frame_job; memory is the images, then DIGEST_BYTES that begin with the digest of what the frames leave around the block.
    The digest is one more part."""
    job = frame_job(name, block, palette, memory)
    job.kind = FRAMES_AND_AROUND
    return job


def kernel_job(name, vectors, expected=None):
    """Runs a kernel vector file; the result is all destinations joined."""
    size = kernel_output_bytes(vectors)
    return Job(name, KERNELS, [vectors], expected or bytes(size), size)


def operations_job(name, operations, expected=None, results_at=0):
    """Runs packed operations (operations.py); the result is 32 bytes for each."""
    return Job(name, OPERATIONS, [operations], expected or bytes(len(operations)), len(operations), numbers={"results_at": results_at})


def kernel_output_bytes(vectors):
    (cases,) = struct.unpack_from(">I", vectors, 4)
    at, total = 32, 0
    for _ in range(cases):
        _, count, _, slots = struct.unpack_from(">4I", vectors, at)
        at += 16 + 96 + align(2 * count) + align(2 * count + 2) + align(12 * count + 24) + align(12 * slots)
        total += 12 * slots
    return total


def align(n):
    return (n + 31) & ~31


def pack(jobs, limit=NO_LIMIT):
    """The guest's job data: header, job table, then everything the jobs point at."""
    start = 16 + 32 * len(jobs)
    body = bytearray(bytes(align(start) - start))

    def place(content):
        at = start + len(body)
        body.extend(content)
        body.extend(bytes(align(len(content)) - len(content)))
        return at

    table = b"".join(struct.pack(">8I", *arguments(job, place)) for job in jobs)
    return struct.pack(">4sIII", b"LOCK", len(jobs), limit, 0) + table + bytes(body)


def arguments(job, place):
    at = [place(content) for content in job.inputs]
    reference = place(job.reference)
    if job.kind in (FRAMES, FRAMES_AND_AROUND):
        return job.kind, job.numbers["frames"], job.numbers["bones"], at[0], job.part_bytes, at[1], job.stride, reference
    if job.kind == KERNELS:
        return job.kind, at[0], job.part_bytes, 0, 0, 0, 0, reference
    return job.kind, at[0], job.part_bytes // 32, job.numbers["results_at"], 0, 0, 0, reference


def batches(jobs, capacity=CAPACITY):
    """Splits a list of jobs into runs that fit into memory."""
    batch, used = [], 0
    for job in jobs:
        if batch and used + job.size() > capacity:
            yield batch
            batch, used = [], 0
        batch.append(job)
        used += job.size()
        if job.runs_away:
            yield batch
            batch, used = [], 0
    if batch:
        yield batch
