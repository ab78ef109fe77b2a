// Instruction batches: a list of 32-byte operations, each leaving a 32-byte result. The host's operations.py builds them.
#include "guest.h"

typedef struct {
    u32 op;  // low byte; bit 31: say the index on the UART first, so that fault lines can be told apart; bits 8..15: variant
    u32 a[7];
} Operation;

typedef struct {
    u32 w[8];
} Result;

enum { kPsqLoad = 1, kPsqStore, kArithmetic, kDma, kDcbz, kRead, kWrite, kFill, kScan, kBats };

typedef void (*Loader)(const void* from, u32* pair);
typedef void (*Storer)(const u32* pair, void* to);
typedef void (*Arithmetic)(const u32* operands, u32* pair);
extern const Loader psqLoaders[2];
extern const Storer psqStorers[2];
extern const Arithmetic arithmetic[];

static u32 scratch[8] __attribute__((aligned(32)));

// Which not-a-number a core chooses is its own affair; that it is one is what counts.
static void settleNan(u32* number)
{
    if ((number[0] & 0x7FF00000) == 0x7FF00000 && ((number[0] & 0x000FFFFF) | number[1])) {
        number[0] = 0x7FF80000;
        number[1] = 0;
    }
}

static void settleNans(Result* r)
{
    settleNan(r->w);
    settleNan(r->w + 2);
}

static void psqLoad(const Operation* o, u32 variant, Result* r)
{
    scratch[0] = o->a[1];
    scratch[1] = o->a[2];
    setFpscr(o->a[6]);
    setGqr5(o->a[0]);
    psqLoaders[variant](scratch, r->w);
    settleNans(r);
}

static void psqStore(const Operation* o, u32 variant, Result* r)
{
    setFpscr(o->a[6]);
    setGqr5(o->a[0]);
    r->w[0] = r->w[1] = 0xAAAAAAAA;
    psqStorers[variant](o->a + 1, r->w);
}

static void calculate(const Operation* o, u32 variant, Result* r)
{
    setFpscr(o->a[0]);
    arithmetic[variant](o->a + 1, r->w);
    settleNans(r);
}

// Variant: bytes of the access; 5 = psq_l / psq_st of an s16 pair, 6 = of one s16.
static void readMemory(const Operation* o, u32 variant, Result* r)
{
    u32 at = o->a[0];
    setGqr5(0x00070007);
    if (variant == 1)
        r->w[0] = *(volatile u8*)at;
    else if (variant == 2)
        r->w[0] = *(volatile u16*)at;
    else if (variant == 4)
        r->w[0] = *(volatile u32*)at;
    else if (variant == 8)
        __asm__ volatile("lfd 0, 0(%0)\n stfd 0, 0(%1)" ::"b"(at), "b"(r->w) : "memory");
    else
        psqLoaders[variant - 5]((const void*)at, r->w);
}

static void writeMemory(const Operation* o, u32 variant)
{
    u32 at = o->a[0];
    setGqr5(0x00070007);
    if (variant == 1)
        *(volatile u8*)at = (u8)o->a[1];
    else if (variant == 2)
        *(volatile u16*)at = (u16)o->a[1];
    else if (variant == 4)
        *(volatile u32*)at = o->a[1];
    else if (variant == 8)
        __asm__ volatile("lfd 0, 0(%1)\n stfd 0, 0(%0)" ::"b"(at), "b"(o->a + 1) : "memory");
    else
        psqStorers[variant - 5](o->a + 1, (void*)at);
}

enum { kFillStep = 0x01000193 };

// a: address, bytes, seed; the words are seed, seed + step, ...
static void fill(const Operation* o)
{
    for (u32 i = 0; i < o->a[1] / 4; ++i)
        *(u32*)(o->a[0] + 4 * i) = o->a[2] + i * kFillStep;
}

// Against the fill pattern: w = hash of all, changed lines, first and last changed line (offsets).
static void scan(const Operation* o, Result* r)
{
    u32 hash = 0x811C9DC5, changed = 0, first = ~0u, last = ~0u;
    for (u32 i = 0; i < o->a[1] / 4; ++i) {
        u32 got = *(const u32*)(o->a[0] + 4 * i);
        u32 line = i / 8 * 32;
        hash = (hash ^ got) * kFillStep;
        if (got == o->a[2] + i * kFillStep || line == last)
            continue;
        ++changed;
        last = line;
        if (first == ~0u)
            first = line;
    }
    r->w[0] = hash;
    r->w[1] = changed;
    r->w[2] = first;
    r->w[3] = last;
}

static void run(const Operation* o, Result* r)
{
    u32 variant = (o->op >> 8) & 0xFF;
    switch (o->op & 0xFF) {
    case kPsqLoad: psqLoad(o, variant, r); break;
    case kPsqStore: psqStore(o, variant, r); break;
    case kArithmetic: calculate(o, variant, r); break;
    case kDma: dma(o->a[0], o->a[1]); break;
    case kDcbz: zeroLines(o->a[0], 32); break;
    case kRead: readMemory(o, variant, r); break;
    case kWrite: writeMemory(o, variant); break;
    case kFill: fill(o); break;
    case kScan: scan(o, r); break;
    case kBats: setUserBats(o->a); break;
    default: break;
    }
}

static void announce(u32 number, u32 index)
{
    text("@P ");
    hex(number, 4);
    text(" ");
    hex(index, 6);
    endLine();
}

// Job: a = operations, b = how many, c = where the results go (0: the usual place).
void runOperations(u32 number, const Job* job, const u8* data, u32 limit)
{
    const Operation* operations = (const Operation*)(data + job->a);
    Result* results = (Result*)(job->c ? job->c : kResultAddress);
    zeroLines((u32)results, job->b * sizeof(Result));
    for (u32 i = 0; i < job->b; ++i) {
        if (operations[i].op >> 31)
            announce(number, i);
        run(operations + i, results + i);
    }
    setFpscr(4);
    reportDifferences(number, 0, (const u8*)results, data + job->reference, job->b * sizeof(Result), limit);
}
