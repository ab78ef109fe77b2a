// Kernel vectors: each case is one call of a skinning routine (see tests/vectors/README.md for the file).
#include "guest.h"

typedef struct {
    u32 kind, count, scale, slots;
    u32 matrix1[12], matrix2[12];
    u8 rest[];
} Case;

enum { kVertexBytes = 12, kWork = kLockedCache };

static u32 pad(u32 bytes)
{
    return (bytes + 31) & ~31u;
}

// Runs one case; its destination grows the results at `to`. Returns the next case.
static const Case* runCase(const Case* c, u8* to)
{
    const u8* weights = c->rest;
    const u8* indices = weights + pad(2 * c->count);
    const u8* source = indices + pad(2 * c->count + 2);
    const u8* destination = source + pad(kVertexBytes * c->count + 24);
    setGqr7((c->scale << 24) | (7 << 16) | (c->scale << 8) | 7);
    copyBytes(to, destination, c->slots * kVertexBytes);
    copyBytes((void*)kWork, source, kVertexBytes * c->count + 24);
    if (c->kind == 1)
        sk1Routine(c->matrix1, kWork, c->count);
    else if (c->kind == 2)
        sk2Routine(c->matrix1, c->matrix2, kWork, (u32)weights, c->count);
    else
        skAccRoutine(c->matrix1, kWork, (u32)indices, (u32)weights, (u32)to, c->count);
    if (c->kind != 3)
        copyBytes(to, (const void*)kWork, c->count * kVertexBytes);
    return (const Case*)(destination + pad(c->slots * kVertexBytes));
}

// Job: a = the vector file, b = bytes of all destinations.
void runKernels(u32 number, const Job* job, const u8* data, u32 limit)
{
    const u32* header = (const u32*)(data + job->a);
    const Case* c = (const Case*)(header + 8);
    u8* to = (u8*)kResultAddress;
    setFpscr(header[2]);
    for (u32 i = 0; i < header[1]; ++i) {
        u32 bytes = c->slots * kVertexBytes;
        c = runCase(c, to);
        to += bytes;
    }
    setFpscr(4);
    reportDifferences(number, 0, (const u8*)kResultAddress, data + job->reference, job->b, limit);
}
