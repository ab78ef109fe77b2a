"""Seeds for the parser fuzzers: the small bundled models and their sections, the banks, palettes and kernel vectors.

    fuzz_seeds.py SEEDS VECTORS      SEEDS/all holds the models; SEEDS/TARGET is filled"""

import json
import struct
import sys
from pathlib import Path

LARGEST = 16384
SECTIONS = {"gpl": 4, "act": 8, "skn": 16, "facial": 24}


def words(data, at, count=1):
    return struct.unpack_from(f">{count}I", data, at)


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def sections(data):
    starts = [p for p in words(data, 4, 7) if 0 < p < len(data)]
    for name, at in SECTIONS.items():
        start = words(data, at)[0]
        if 0 < start < len(data):
            yield name, data[start:min([p for p in starts if p > start], default=len(data))]


def main(seeds, vectors):
    models = [p for p in sorted((seeds / "all").glob("*.block")) if p.stat().st_size <= LARGEST]
    for path in models:
        data = path.read_bytes()
        for target in ("block", "frame"):
            write(seeds / target, path.name, data)
        for name, section in sections(data):
            write(seeds / name, path.name, section)
    for path in sorted((seeds / "all").glob("*.anm")):
        if path.stat().st_size <= LARGEST:
            write(seeds / "anm", path.name, path.read_bytes())
    for path in sorted(vectors.rglob("*")):
        if path.is_file() and path.stat().st_size <= LARGEST:
            target = {".palette": "palette", ".in": "kernel_vectors"}.get(path.suffix)
            if target:
                write(seeds / target, path.name, path.read_bytes())
    first = models[0].read_bytes()
    write(seeds / "archive", "two", struct.pack(">III", 2, 32, 64) + bytes(20) + first[:32] + first[:64])
    dol = bytearray(0x200)
    struct.pack_into(">I", dol, 0, 0x100)
    struct.pack_into(">I", dol, 0x48, 0x80004000)
    struct.pack_into(">I", dol, 0x90, 0x100)
    struct.pack_into(">II", dol, 0x100, 0x80004040, 0x80004070)
    write(seeds / "dol", "small", bytes(dol))
    write(seeds / "sluggie", "list", json.dumps({"SluggiesModel": {"ModelOffset": "0x10", "ModelLength": 4, "DonorEntry": {"Data": [1, 2]}}}).encode())
    write(seeds / "sluggie", "packed", json.dumps({"SluggiesModel": {"DonorEntry": {"Data": "z:eJzLSM3JyddRKM4pTU9PLSoGAC1FBc0="}}}).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
