// Runs the jobs that the host put into MEM2, one after another, and says when each begins and ends.
#include "guest.h"

typedef struct {
    u32 magic, jobs, limit, pad;
    Job job[];
} Header;

void copyBytes(void* to, const void* from, u32 bytes)
{
    u32 i = 0;
    for (; i + 4 <= bytes; i += 4)
        *(u32*)((u8*)to + i) = *(const u32*)((const u8*)from + i);
    for (; i < bytes; ++i)
        ((u8*)to)[i] = ((const u8*)from)[i];
}

static void mark(const char* tag, u32 number)
{
    text(tag);
    hex(number, 4);
    endLine();
}

static void runJob(u32 number, const Job* job, const u8* data, u32 limit)
{
    mark("@J ", number);
    if (job->kind == kFrames || job->kind == kFramesAndAround)
        runFrames(number, job, data, limit);
    else if (job->kind == kKernels)
        runKernels(number, job, data, limit);
    else if (job->kind == kOperations)
        runOperations(number, job, data, limit);
    mark("@E ", number);
}

int main(void)
{
    const Header* header = (const Header*)0x90000000;
    for (u32 i = 0; i < header->jobs; ++i)
        runJob(i, header->job + i, (const u8*)header, header->limit);
    mark("@Q ", header->jobs);
    for (;;) {
    }
}
