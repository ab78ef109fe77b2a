"""Packs single operations for the guest's batch mode (guest/operations.c) and reads their results."""

import struct
from collections import namedtuple

PSQ_LOAD, PSQ_STORE, ARITHMETIC, DMA, DCBZ, READ, WRITE, FILL, SCAN, BATS = range(1, 11)
ARITHMETIC_NAMES = ["ps_madds0", "ps_madds1", "ps_madd", "ps_muls0", "ps_muls1", "ps_mul", "ps_add", "ps_merge10"]
QUANTIZED_TYPES = {0: "float", 4: "u8", 5: "u16", 6: "s8", 7: "s16"}
PAIR, SINGLE = 5, 6   # access widths of READ and WRITE besides 1, 2, 4, 8: psq_l / psq_st of s16
NI = 4
FILL_STEP = 0x01000193
ANNOUNCE = 0x80000000

Scan = namedtuple("Scan", "hash changed first last")


def operation(op, *words, variant=0, announce=False):
    head = op | variant << 8 | (ANNOUNCE if announce else 0)
    return struct.pack(">8I", head, *words, *[0] * (7 - len(words)))


def gqr(kind, scale):
    """Load and store alike, as SKN's byte sets GQR7."""
    half = kind | (scale & 63) << 8
    return half << 16 | half


def psq_load(gqr_value, raw, single=0, fpscr=NI):
    """raw: the eight bytes in memory."""
    return operation(PSQ_LOAD, gqr_value, *struct.unpack(">2I", raw), 0, 0, 0, fpscr, variant=single)


def psq_store(gqr_value, ps0, ps1, single=0, fpscr=NI):
    """ps0, ps1: float bit patterns."""
    return operation(PSQ_STORE, gqr_value, ps0, ps1, 0, 0, 0, fpscr, variant=single)


def arithmetic(name, a, b, c, fpscr=NI):
    """a, b, c: pairs of float bit patterns. madd: a * c + b, mul: a * c, add and merge: a, b."""
    return operation(ARITHMETIC, fpscr, *a, *b, *c, variant=ARITHMETIC_NAMES.index(name))


def dma(upper, lower, announce=False):
    return operation(DMA, upper, lower, announce=announce)


def dcbz(address, announce=False):
    return operation(DCBZ, address, announce=announce)


def read(width, address, announce=True):
    return operation(READ, address, variant=width, announce=announce)


def write(width, address, value, second=0, announce=True):
    return operation(WRITE, address, value, second, variant=width, announce=announce)


def fill(address, size, seed):
    return operation(FILL, address, size, seed)


def scan(address, size, seed):
    return operation(SCAN, address, size, seed)


def bats(dbat1, dbat3, dbat4):
    """Each a pair (upper, lower)."""
    return operation(BATS, *dbat1, *dbat3, *dbat4)


def fill_pattern(size, seed):
    return struct.pack(f">{size // 4}I", *((seed + i * FILL_STEP) & 0xFFFFFFFF for i in range(size // 4)))


def fold(memory):
    """The hash that SCAN leaves."""
    value = 0x811C9DC5
    for (word,) in struct.iter_unpack(">I", memory):
        value = (value ^ word) * FILL_STEP & 0xFFFFFFFF
    return value


def results(raw):
    return [struct.unpack_from(">8I", raw, at) for at in range(0, len(raw), 32)]


def scan_result(words):
    return Scan(*words[:4])
