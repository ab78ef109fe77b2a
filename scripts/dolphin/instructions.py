"""The instruction tests: lists of operations by name. Each is deterministic, so results can be kept and compared."""

import random
import struct

import operations as o

FLOAT_EDGES = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x40490FDB, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
               0x34000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F812345]
STORE_EDGES = [0.0, -0.0, 0.25, 0.5, -0.5, 0.99999994, -0.99999994, 1.0, 1.5, -1.5, 126.99999, 127.0, 127.5, 128.0, -127.5, -128.0, -128.5, -129.0,
               254.5, 255.0, 255.5, 256.0, 32766.5, 32767.0, 32767.5, 32768.0, -32767.5, -32768.0, -32768.5, -32769.0, 65534.5, 65535.0, 65535.5,
               65536.0, 2147483520.0, 2147483648.0, -2147483648.0, 4294967296.0, 1e20, -1e20]
LC, MEMORY = 0xE0000000, 0x80400000


def bits(value):
    return struct.unpack(">I", struct.pack(">f", value))[0]


def scaled_bits(value, scale):
    """value x 2^-scale, the six-bit field read as signed."""
    return bits(value * 2.0 ** -(scale - 64 if scale >= 32 else scale))


def pairs(values):
    """Each value once as the first and once as the second of a pair."""
    return list(zip(values, values[1:] + values[:1]))


def quantized_loads():
    halves = [b"\x00\x00", b"\x00\x01", b"\x7f\xff", b"\x80\x00", b"\xff\xff", b"\x80\x01", b"\x04\xd2", b"\xfb\x2e", b"\x7f\x80"]
    raw = [a + b + b"\x12\x34\x56\x78" for a, b in pairs(halves)]
    return [o.psq_load(o.gqr(kind, scale), r, single)
            for kind in (4, 5, 6, 7) for scale in range(64) for r in raw for single in (0, 1)]


def float_loads():
    raw = [struct.pack(">2I", *p) for p in pairs(FLOAT_EDGES)]
    return [o.psq_load(o.gqr(0, scale), r, single, fpscr)
            for scale in (0, 1, 31, 32, 63) for r in raw for single in (0, 1) for fpscr in (0, o.NI)]


def quantized_stores():
    tests = []
    for kind in (4, 5, 6, 7):
        for scale in range(64):
            values = [scaled_bits(v, scale) for v in STORE_EDGES]
            tests += [o.psq_store(o.gqr(kind, scale), a, b) for a, b in pairs(values)]
            tests += [o.psq_store(o.gqr(kind, scale), a, b, 1) for a, b in pairs(values)[::7]]
    return tests


def special_stores():
    """Not-a-numbers, infinities and denormals; the two cores disagree on some."""
    return [o.psq_store(o.gqr(kind, scale), a, b, single, fpscr)
            for kind in (0, 4, 5, 6, 7) for scale in (0, 8, 31, 32, 63) for a, b in pairs(FLOAT_EDGES) for single in (0, 1)
            for fpscr in (0, o.NI)]


def arithmetic_edges(fpscr):
    tests = []
    for name in ("ps_madds0", "ps_muls0"):
        for a in FLOAT_EDGES:
            for c in FLOAT_EDGES:
                for b in FLOAT_EDGES if name == "ps_madds0" else FLOAT_EDGES[:1]:
                    tests.append(o.arithmetic(name, (a, 0x3F800000), (b, 0), (c, 0x40000000), fpscr))
    return tests


def arithmetic_lanes(fpscr=o.NI, seed=1):
    """Which lane goes where, for each instruction; and plain values."""
    rng = random.Random(seed)

    def pair():
        return bits(rng.uniform(-300, 300)), bits(rng.uniform(-300, 300))

    return [o.arithmetic(name, pair(), pair(), pair(), fpscr) for name in o.ARITHMETIC_NAMES for _ in range(200)]


def near_powers():
    """Factor pairs of 2^n + 1 and 2^n - 1: products that miss a power of two by one."""
    found = []
    for n in range(28, 42):
        for target in (2 ** n - 1, 2 ** n + 1):
            for d in range(3, 1 << 16, 2):
                if target % d == 0 and target // d < 1 << 24:
                    found.append((n, d, target // d))
    return found


def rounding_ties(fpscr=o.NI):
    """a x c a hair beside half a unit of b: once rounded and twice rounded differ in a good part of them."""
    tests = []
    for n, first, second in near_powers():
        for b in (2.0, -2.0, 3.0, 2.0 + 2.0 ** -22, 4094.0 + 2.0 ** -12):
            half_unit = {2: 2.0 ** -23, 3: 2.0 ** -23, 4: 2.0 ** -13}[3 if abs(b) == 3 else 2 if abs(b) < 3 else 4]
            for sign in (1.0, -1.0):
                a, c = bits(sign * first * 2.0 ** -n), bits(second * half_unit)
                for name in ("ps_madds0", "ps_madd", "ps_madds1"):
                    tests.append(o.arithmetic(name, (a, a), (bits(b), bits(b)), (c, c), fpscr))
    return tests


def dma_moves():
    """Every length and every misalignment of the memory address, both ways; what moved is scanned on the side that received."""
    tests = []
    for misalignment in range(0, 32, 4):
        for lines in list(range(0, 130)) if misalignment == 0 else [1, 2, 3, 4, 5, 31, 63, 64, 127, 128]:
            for direction in (0x02, 0x12):
                tests += dma_move(MEMORY + 0x2000 + misalignment, LC + 0x2000, lines, direction)
    return tests


def dma_move(memory, cache, lines, direction):
    upper = (memory & 0x0FFFFFFF) | ((lines >> 2) & 31)
    lower = cache | ((lines & 3) << 2) | direction
    target, seed = (LC, 1000) if direction & 0x10 else (MEMORY, 2000)
    return [o.fill(LC, 0x4000, 1000), o.fill(MEMORY, 0x4000, 2000), o.dma(upper, lower), o.scan(target, 0x4000, seed)]


def dma_addresses():
    """Which bits of the two addresses count: the locked cache modulo 256 KB, memory cached or not."""
    tests = []
    for cache in (0xE0000000, 0xE0010000, 0xE0020000, 0xE003F000, 0xE0040000, 0xE0061000, 0x00002000, 0xF0003000):
        at = LC + (cache & 0x3FFFF)
        for memory in (MEMORY, 0x00400000, 0xC0400000):
            tests += [o.fill(at, 0x1000, 1000), o.fill(MEMORY, 0x1000, 2000), o.dma(memory & 0x3FFFFFFF | 8, cache | 0x12), o.scan(at, 0x1000, 1000)]
    return tests


def cache_line_zero():
    """dcbz at every offset of a line, in memory and in the locked cache."""
    tests = []
    for base, seed in ((MEMORY, 3000), (LC, 4000)):
        for offset in range(64):
            tests += [o.fill(base, 0x100, seed), o.dcbz(base + 0x40 + offset), o.scan(base, 0x100, seed)]
    return tests


def memory_ends():
    """Reads and writes around every end of what is mapped. Each is announced, so that its fault lines are known as its own. What is
    read was filled before, or nothing is there."""
    filled = [0x80300000, 0x817FFFFC, 0x81800000, 0x81FFFFFC, MEMORY, 0x93000000, 0x93FFFFFC, 0xE0000000, 0xE0003FFC, 0xE0004000, 0xE003FFFC]
    mirrors = [0x82300000, 0x82400000, 0x87FFFFFC, 0xC0300000, 0xC17FFFFC, 0xC1800000, 0xC2400000, 0xD3000000, 0xD3FFFFFC]
    absent = [0x00000000, 0x7FFFFFFC, 0x94000000, 0x9FFFFFFC, 0xA0000000, 0xBFFFFFFC, 0xD4000000, 0xE0040000, 0xE0FFFFFC, 0xE1000000,
              0xF0000000, 0xFFFFFFFC]
    straddles = [0xE003FFFD, 0xE003FFFE, 0xE003FFFF, 0x93FFFFFD, 0x93FFFFFE, 0x93FFFFFF]  # a pair there can kill the JIT: see emu/README.md
    tests = [o.fill(at, 4, 0x50001000 + i) for i, at in enumerate(filled)]
    tests += [o.read(width, at) for at in filled + mirrors + absent for width in (1, 2, 4, o.PAIR)]
    tests += [o.read(width, at) for at in straddles for width in (2, 4)]
    for at in filled + mirrors + absent:
        tests += [o.write(4, at, 0xA1B2C3D4), o.read(4, at)]
    for at in straddles:
        tests += [o.write(4, at, 0xA1B2C3D4), o.read(4, at & ~3)]
    return tests


SETS = {
    "quantized_loads": quantized_loads,
    "float_loads": float_loads,
    "quantized_stores": quantized_stores,
    "special_stores": special_stores,
    "arithmetic_ieee": lambda: arithmetic_edges(0),
    "arithmetic_ni": lambda: arithmetic_edges(o.NI),
    "arithmetic_lanes": arithmetic_lanes,
    "rounding_ties": rounding_ties,
    "dma_moves": dma_moves,
    "dma_addresses": dma_addresses,
    "cache_line_zero": cache_line_zero,
    "memory_ends": memory_ends,
}


def packed(name):
    return b"".join(SETS[name]())
