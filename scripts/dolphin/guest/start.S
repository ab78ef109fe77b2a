# Entry: processor set-up as a Wii game leaves it, then main(). Also the few instructions C cannot say.
#include "registers.h"

        .section .start, "ax"
        .globl  _start
_start:
        lis     r1, stackTop@ha
        addi    r1, r1, stackTop@l
        li      r0, 0
        stwu    r0, -16(r1)
        lis     r0, 0x8200          # HID4[SBE]: the upper BATs exist. Dolphin takes a DOL with this write for a Wii program.
        mtspr   HID4, r0
        isync
        bl      setFixedBats
        mfmsr   r3                  # floating point on, external interrupts off
        ori     r3, r3, 0x2000
        rlwinm  r3, r3, 0, 17, 15
        mtmsr   r3
        isync
        lis     r3, 0xB000          # HID2: load/store quantized, paired singles, locked cache
        mtspr   HID2, r3
        isync
        li      r3, 0
        mtspr   GQR0, r3            # float
        lis     r3, 0x0804
        ori     r3, r3, 0x0804
        mtspr   GQR6, r3            # u8, scale 8: a weight byte loads as w/256
        li      r3, 4               # FPSCR[NI]
        bl      setFpscr
        bl      main
1:      b       1b

        .text
# Only where it differs: Dolphin maps all memory anew after each change, and starts with most of these as they should be.
.macro  set_spr spr, high, low
        lis     r3, \high
        ori     r3, r3, \low
        mfspr   r4, \spr
        cmplw   r3, r4
        beq     1f
        mtspr   \spr, r3
1:
.endm
.macro  set_bat upper, high, low_high, low_low
        set_spr \upper + 1, \low_high, \low_low
        set_spr \upper, \high, 0x1FFF
.endm
setFixedBats:
        set_bat DBAT0U, 0x8000, 0x0000, 0x0002      # MEM1 cached
        set_bat DBAT1U, 0xC000, 0x0000, 0x002A      # MEM1 and registers, uncached
        set_bat DBAT4U, 0x9000, 0x1000, 0x0002      # MEM2 cached
        set_bat DBAT5U, 0xD000, 0x1000, 0x002A      # MEM2 uncached
        set_spr DBAT3U + 1, 0xE000, 0x0002          # the locked cache, 16 MB of it
        set_spr DBAT3U, 0xE000, 0x01FE
        isync
        blr

        .globl  dma
dma:    mtspr   DMAU, r3
        mtspr   DMAL, r4
        blr

        .globl  waitDma
waitDma:
1:      mfspr   r4, HID2
        rlwinm  r4, r4, 8, 28, 31
        cmplw   r4, r3
        bgt     1b
        blr

        .globl  setGqr5
setGqr5:
        mtspr   GQR5, r3
        isync
        blr

        .globl  setGqr7
setGqr7:
        mtspr   GQR7, r3
        isync
        blr

        .globl  setFpscr
setFpscr:
        stwu    r1, -16(r1)
        stw     r3, 12(r1)
        lfd     f0, 8(r1)
        mtfsf   255, f0
        addi    r1, r1, 16
        blr

# zeroLines(address, bytes)
        .globl  zeroLines
zeroLines:
        srwi    r4, r4, 5
        mtctr   r4
1:      dcbz    0, r3
        addi    r3, r3, 32
        bdnz    1b
        blr
