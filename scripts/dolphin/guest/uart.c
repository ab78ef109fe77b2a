// The EXI UART: Dolphin prints each line it receives to its log.
#include "guest.h"

#define EXI_STATUS (*(volatile u32*)0xCC006800)
#define EXI_CONTROL (*(volatile u32*)0xCC00680C)
#define EXI_DATA (*(volatile u32*)0xCC006810)

enum { kLineBytes = 240 };
static u8 line[kLineBytes + 4] __attribute__((aligned(4)));
static u32 length;

static void sendWord(u32 word, u32 bytes)
{
    EXI_DATA = word;
    EXI_CONTROL = ((bytes - 1) << 4) | (1 << 2) | 1;
    while (EXI_CONTROL & 1) {
    }
}

static void add(u8 c)
{
    if (length < kLineBytes)
        line[length++] = c;
}

void text(const char* s)
{
    while (*s)
        add((u8)*s++);
}

void hex(u32 value, u32 digits)
{
    while (digits--)
        add((u8) "0123456789abcdef"[(value >> (4 * digits)) & 15]);
}

void endLine(void)
{
    u32 sum = 0;
    for (u32 i = 0; i < length; ++i)
        sum += line[i];
    text("*");
    hex(sum, 4);
    add('\r');
    EXI_STATUS = (2 << 7) | (5 << 4);
    sendWord(0xA0010000, 4);
    u32 done = 0;
    for (; done + 4 <= length; done += 4)
        sendWord(*(const u32*)(line + done), 4);
    if (done < length)
        sendWord(*(const u32*)(line + done), length - done);
    EXI_STATUS = 0;
    length = 0;
}
