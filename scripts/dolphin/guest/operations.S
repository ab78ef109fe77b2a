# One instruction each, behind a call, operands and results in memory.
#include "registers.h"

        .text
# Both halves of f1 as raw doubles to 0(r4).
.macro  give_pair
        stfd    1, 0(4)
        ps_merge11 1, 1, 1
        stfd    1, 8(4)
        blr
.endm

psqLoadPair:
        psq_l   1, 0(3), 0, 5
        give_pair
psqLoadOne:
        psq_l   1, 0(3), 1, 5
        give_pair

psqStorePair:
        psq_l   1, 0(3), 0, 0
        psq_st  1, 0(4), 0, 5
        blr
psqStoreOne:
        psq_l   1, 0(3), 0, 0
        psq_st  1, 0(4), 1, 5
        blr

.macro  operands                    # A, B, C as float pairs at r3
        psq_l   2, 0(3), 0, 0
        psq_l   3, 8(3), 0, 0
        psq_l   4, 16(3), 0, 0
.endm

.macro  three name                  # D = A * C + B and its kin
op_\name:
        operands
        \name   1, 2, 4, 3
        give_pair
.endm

.macro  two name, second
op_\name:
        operands
        \name   1, 2, \second
        give_pair
.endm

        three   ps_madds0
        three   ps_madds1
        three   ps_madd
        two     ps_muls0, 4
        two     ps_muls1, 4
        two     ps_mul, 4
        two     ps_add, 3
        two     ps_merge10, 3

# setUserBats(pairs): DBAT1, DBAT3, DBAT4, each upper then lower.
        .globl  setUserBats
setUserBats:
        lwz     4, 0(3)
        mtspr   DBAT1U, 4
        lwz     4, 4(3)
        mtspr   DBAT1U + 1, 4
        lwz     4, 8(3)
        mtspr   DBAT3U, 4
        lwz     4, 12(3)
        mtspr   DBAT3U + 1, 4
        lwz     4, 16(3)
        mtspr   DBAT4U, 4
        lwz     4, 20(3)
        mtspr   DBAT4U + 1, 4
        isync
        blr

        .section .rodata
        .balign 4
        .globl  psqLoaders, psqStorers, arithmetic
psqLoaders:
        .long   psqLoadPair, psqLoadOne
psqStorers:
        .long   psqStorePair, psqStoreOne
arithmetic:
        .long   op_ps_madds0, op_ps_madds1, op_ps_madd, op_ps_muls0, op_ps_muls1, op_ps_mul, op_ps_add, op_ps_merge10
