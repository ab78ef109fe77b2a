// Results go out as differences from a reference the host knows: nothing when all is well, everything when the reference is blank.
#include "guest.h"

enum { kLine = 32, kLinesPerRow = 3 };

static int same(const u8* a, const u8* b, u32 bytes)
{
    u32 i = 0;
    for (; i + 4 <= bytes; i += 4)
        if (*(const u32*)(a + i) != *(const u32*)(b + i))
            return 0;
    for (; i < bytes; ++i)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static u32 lineBytes(u32 at, u32 bytes)
{
    return bytes - at < kLine ? bytes - at : kLine;
}

static void printRow(u32 job, u32 part, u32 offset, const u8* from, u32 bytes)
{
    text("@D ");
    hex(job, 4);
    text(" ");
    hex(part, 4);
    text(" ");
    hex(offset, 6);
    text(" ");
    for (u32 i = 0; i < bytes; ++i)
        hex(from[i], 2);
    endLine();
}

u32 reportDifferences(u32 job, u32 part, const u8* got, const u8* want, u32 bytes, u32 limit)
{
    u32 different = 0;
    for (u32 at = 0; at < bytes; at += kLine) {
        if (same(got + at, want + at, lineBytes(at, bytes)))
            continue;
        u32 row = lineBytes(at, bytes);
        ++different;
        while (row < kLine * kLinesPerRow && at + row < bytes && !same(got + at + row, want + at + row, lineBytes(at + row, bytes))) {
            row += lineBytes(at + row, bytes);
            ++different;
        }
        if (different <= limit)
            printRow(job, part, at, got + at, row);
        at += (row + kLine - 1) / kLine * kLine - kLine;
    }
    return different;
}
