// The guest program: what its parts offer each other. Everything runs bare, with interrupts off and no C library.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

enum {
    kBlockAddress = 0x80400000,   // where frame vectors load their block
    kHeapStart = 0x80300000,      // zeroed before every frame case: what lies around a block is empty memory
    kHeapEnd = 0x80520000,
    kLockedCache = 0xE0000000,
    kLockedCacheBytes = 256 * 1024,  // what Dolphin backs; the machine has 16 KB
    kResultAddress = 0x80600000,     // results of instruction batches and kernels
};

// One line on the UART; text() and hex() add to it, endLine() closes it with its checksum and sends it.
void text(const char* s);
void hex(u32 value, u32 digits);
void endLine(void);

// Prints every 32-byte line in which `got` differs from `want`, at most `limit` of them. Returns how many differ.
u32 reportDifferences(u32 job, u32 part, const u8* got, const u8* want, u32 bytes, u32 limit);

void copyBytes(void* to, const void* from, u32 bytes);
void zeroLines(u32 address, u32 bytes);  // both multiples of 32

// DMA commands as the hardware takes them.
void dma(u32 upper, u32 lower);
void setGqr5(u32 value);
void setGqr7(u32 value);
void setFpscr(u32 value);
void setUserBats(const u32* pairs);
void waitDma(u32 pending);  // until at most that many are queued

// The skinning routines, at the addresses the game has them (see guest.ld).
void sk1Routine(const void* matrix, u32 firstVertex, u32 count);
void sk2Routine(const void* matrix1, const void* matrix2, u32 firstVertex, u32 weights, u32 count);
void skAccRoutine(const void* matrix, u32 source, u32 indices, u32 weights, u32 destinations, u32 count);

// Jobs (see jobs.py for their layout). Offsets are relative to the job data.
typedef struct {
    u32 kind, a, b, c, d, e, f, reference;
} Job;
enum { kFrames = 1, kKernels, kOperations, kFramesAndAround };
void runFrames(u32 number, const Job* job, const u8* data, u32 limit);
void runKernels(u32 number, const Job* job, const u8* data, u32 limit);
void runOperations(u32 number, const Job* job, const u8* data, u32 limit);
