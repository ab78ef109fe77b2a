// Steps 3 to 6 of reference/runtime.md, in its order. Pointers stay offsets; entries are read from memory each time they are used.
#include "guest.h"

typedef struct {
    u32 matrix[12];
    u32 source;
    u32 destination;
    u16 bone;
    u16 count;
    u8 vertexOffset;
    u8 pad[3];
} Sk1;

typedef struct {
    u32 matrix1[12];
    u32 matrix2[12];
    u32 source;
    u32 weights;
    u32 destination;
    u16 bone1;
    u16 bone2;
    u16 count;
    u8 vertexOffset;
    u8 pad;
} Sk2;

typedef struct {
    u32 matrix[12];
    u32 source;
    u32 indices;
    u32 destination;
    u32 weights;
    u16 bone;
    u16 count;
} SkAcc;

typedef struct {
    u16 sk1Count;
    u16 sk2Count;
    u16 accCount;
    u8 quantize;
    u8 pad;
    u32 sk1;
    u32 sk2;
    u32 acc;
    u32 clearStart;
    u32 clearSize;
    u32 flush;
    u32 flushCount;
} Skn;

_Static_assert(sizeof(Sk1) == 0x40 && sizeof(Sk2) == 0x74 && sizeof(SkAcc) == 0x44 && sizeof(Skn) == 0x24, "formats.md");

enum { kVertexBytes = 12, kMatrixWords = 12 };
enum { kB0 = kLockedCache, kB1 = kB0 + 0x1000, kB2 = kB0 + 0x2000, kB3 = kB0 + 0x3000, kAccIndices = 0x1000, kAccWeights = 0x1800 };

// What loading a block settles once.
typedef struct {
    u32 skn;
    u32 positions;
    const u32* palette;
} Model;

static u32 word(u32 address)
{
    return *(volatile u32*)address;
}

static Model loadModel(const u32* palette)
{
    u32 gpl = kBlockAddress + word(kBlockAddress + 0x04);
    u32 layout = gpl + word(gpl + word(gpl + 0x10));
    u32 positionHeader = layout + word(layout);
    Model m = {kBlockAddress + word(kBlockAddress + 0x10), layout + word(positionHeader), palette};
    return m;
}

static u32 linesOf(u32 bytes)
{
    return (bytes + 31) / 32;
}

static void command(u32 memory, u32 cache, u32 lines, u32 direction)
{
    dma((memory & 0x0FFFFFFF) | ((lines >> 2) & 31), cache | ((lines & 3) << 2) | direction);
}

enum { kLoad = 0x12, kStore = 0x02 };

// The path for any length: full commands of 128 lines, then the rest.
static void transfer(u32 memory, u32 cache, u32 bytes, u32 direction)
{
    u32 lines = linesOf(bytes);
    for (; lines >= 128; lines -= 128, memory += 4096, cache += 4096)
        command(memory, cache, 128, direction);
    if (lines)
        command(memory, cache, lines, direction);
}

// Rows of the palette become the columns of the entry.
static void reorder(const Model* m, u32 bone, u32* matrix)
{
    const u32* rows = m->palette + bone * kMatrixWords;
    for (u32 r = 0; r < 3; ++r)
        for (u32 c = 0; c < 4; ++c)
            matrix[c * 3 + r] = rows[r * 4 + c];
}

static u32 sk1Bytes(const Sk1* e)
{
    return e->vertexOffset + e->count * kVertexBytes;
}

static void loadSk1(const Model* m, const Sk1* e, u32 i)
{
    transfer(m->skn + e->source, i & 1 ? kB2 : kB0, sk1Bytes(e), kLoad);
}

static void runSk1(const Model* m)
{
    const Skn* skn = (const Skn*)m->skn;
    u32 n = skn->sk1Count;
    if (!n)
        return;
    Sk1* entries = (Sk1*)(m->skn + skn->sk1);
    loadSk1(m, entries, 0);
    for (u32 i = 0; i < n; ++i) {
        Sk1* e = entries + i;
        u32 buffer = i & 1 ? kB2 : kB0;
        int last = i + 1 == n;
        if (!last)
            loadSk1(m, e + 1, i + 1);
        reorder(m, e->bone, e->matrix);
        waitDma(last ? 0 : 1);
        sk1Routine(e->matrix, buffer + e->vertexOffset, e->count);
        transfer(m->positions + e->destination, buffer, sk1Bytes(e), kStore);
    }
}

static u32 sk2Lines(const Sk2* e)
{
    return linesOf(e->vertexOffset + e->count * kVertexBytes);
}

static void loadSk2(const Model* m, const Sk2* e, u32 i)
{
    command(m->skn + e->source, i & 1 ? kB2 : kB0, sk2Lines(e), kLoad);
    command(m->skn + e->weights, i & 1 ? kB3 : kB1, linesOf(e->count * 2), kLoad);
}

static void runSk2(const Model* m)
{
    const Skn* skn = (const Skn*)m->skn;
    u32 n = skn->sk2Count;
    if (!n)
        return;
    Sk2* entries = (Sk2*)(m->skn + skn->sk2);
    loadSk2(m, entries, 0);
    for (u32 i = 0; i < n; ++i) {
        Sk2* e = entries + i;
        u32 buffer = i & 1 ? kB2 : kB0;
        int last = i + 1 == n;
        if (!last)
            loadSk2(m, e + 1, i + 1);
        reorder(m, e->bone1, e->matrix1);
        reorder(m, e->bone2, e->matrix2);
        waitDma(last ? 0 : 2);
        sk2Routine(e->matrix1, e->matrix2, buffer + e->vertexOffset, buffer + 0x1000, e->count);
        command(m->positions + e->destination, buffer, sk2Lines(e), kStore);
    }
}

static void loadAcc(const Model* m, const SkAcc* e, u32 i)
{
    u32 set = i & 1 ? kB2 : kB0;
    command(m->skn + e->source, set, linesOf(e->count * kVertexBytes), kLoad);
    command(m->skn + e->indices, set + kAccIndices, linesOf(e->count * 2), kLoad);
    command(m->skn + e->weights, set + kAccWeights, linesOf(e->count), kLoad);
}

static void flushVertices(const Model* m, const Skn* skn, u32 base)
{
    const u16* indices = (const u16*)(m->skn + skn->flush);
    for (u32 i = 0; i < skn->flushCount; ++i)
        __asm__ volatile("dcbf 0, %0" ::"r"(base + indices[i] * kVertexBytes) : "memory");
}

static void runAcc(const Model* m)
{
    const Skn* skn = (const Skn*)m->skn;
    u32 n = skn->accCount;
    if (!n)
        return;
    u32 clearLines = linesOf(skn->clearSize);
    if (clearLines)
        zeroLines(m->positions + skn->clearStart, clearLines * 32);
    SkAcc* entries = (SkAcc*)(m->skn + skn->acc);
    loadAcc(m, entries, 0);
    for (u32 i = 0; i < n; ++i) {
        SkAcc* e = entries + i;
        u32 set = i & 1 ? kB2 : kB0;
        int last = i + 1 == n;
        if (!last)
            loadAcc(m, e + 1, i + 1);
        reorder(m, e->bone, e->matrix);
        waitDma(last ? 0 : 3);
        skAccRoutine(e->matrix, set, set + kAccIndices, set + kAccWeights, m->positions + e->destination, e->count);
    }
    flushVertices(m, skn, m->positions + entries->destination);
}

static void runFrame(const Model* m)
{
    u32 scale = ((const Skn*)m->skn)->quantize;  // the whole byte; the register keeps six bits
    setGqr7((scale << 24) | (7 << 16) | (scale << 8) | 7);
    runSk1(m);
    runSk2(m);
    runAcc(m);
}

typedef struct {
    u32 hash, lines, pad[6];
} Digest;

// Folds every line that holds anything; lockline-conformance has the same loop (tests/conformance/expect.cpp).
static void foldLines(Digest* d, u32 begin, u32 end)
{
    for (const u32* line = (const u32*)begin; line != (const u32*)end; line += 8) {
        if (!(line[0] | line[1] | line[2] | line[3] | line[4] | line[5] | line[6] | line[7]))
            continue;
        ++d->lines;
        d->hash = (d->hash ^ (u32)line) * 0x01000193;
        for (u32 i = 0; i < 8; ++i)
            d->hash = (d->hash ^ line[i]) * 0x01000193;
    }
}

// What the frames left around the block.
static void reportSurroundings(u32 number, u32 part, u32 blockBytes, const u8* want, u32 limit)
{
    Digest d = {0x811C9DC5, 0, {0}};
    foldLines(&d, kHeapStart, kBlockAddress);
    foldLines(&d, kBlockAddress + (blockBytes & ~31u), kHeapEnd);
    reportDifferences(number, part, (const u8*)&d, want, sizeof d, limit);
}

// Job: a = frames, b = bones, c = block, d = its size, e = palette, f = distance between the reference images (0: one for all).
// With the surroundings their digest follows the images.
void runFrames(u32 number, const Job* job, const u8* data, u32 limit)
{
    zeroLines(kHeapStart, kHeapEnd - kHeapStart);
    zeroLines(kLockedCache, kLockedCacheBytes);
    setFpscr(4);
    copyBytes((void*)kBlockAddress, data + job->c, job->d);
    Model m = loadModel((const u32*)(data + job->e));
    for (u32 frame = 0; frame < job->a; ++frame) {
        runFrame(&m);
        m.palette += job->b * kMatrixWords;
        reportDifferences(number, frame, (const u8*)kBlockAddress, data + job->reference + frame * job->f, job->d, limit);
    }
    if (job->kind == kFramesAndAround)
        reportSurroundings(number, job->a, job->d, data + job->reference + job->a * job->f, limit);
}
