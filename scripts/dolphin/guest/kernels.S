# The three skinning routines. The arithmetic is reference/arithmetic.md's, the addresses are the game's:
# each routine's load of the next vertex stands at the offset where the game's stands, so that a runaway loop fails with the same PC.
#
# A matrix is twelve floats in column order; a column is held as a pair (x, y) and a single z.
# A vertex is three pairs of s16: (x, y) (z, nx) (ny, nz).

# Fill with nops up to an offset from the routine's start.
.macro  upto offset
        .fill   (\offset - (. - routine)) / 4, 4, 0x60000000
.endm

.macro  load_matrix m, base           # f\base .. f\base+7: column c in f(\base + 2c) and f(\base + 2c + 1)
        psq_l   \base, 0(\m), 0, 0
        psq_l   \base + 1, 8(\m), 1, 0
        psq_l   \base + 2, 12(\m), 0, 0
        psq_l   \base + 3, 20(\m), 1, 0
        psq_l   \base + 4, 24(\m), 0, 0
        psq_l   \base + 5, 32(\m), 1, 0
        psq_l   \base + 6, 36(\m), 0, 0
        psq_l   \base + 7, 44(\m), 1, 0
.endm

# Vertex f16 f17 f18 through the matrix at f\m; the packed result in f\out .. f\out+2. f\out+3 is used on the way.
.macro  transform m, out
        ps_madds0 \out, \m, 16, \m + 6                  # position (x, y)
        ps_madds0 \out + 1, \m + 1, 16, \m + 7          # position z
        ps_muls1  \out + 2, \m, 17                      # normal (nx, ny)
        ps_muls1  \out + 3, \m + 1, 17                  # normal nz
        ps_madds1 \out, \m + 2, 16, \out
        ps_madds1 \out + 1, \m + 3, 16, \out + 1
        ps_madds0 \out + 2, \m + 2, 18, \out + 2
        ps_madds0 \out + 3, \m + 3, 18, \out + 3
        ps_madds0 \out, \m + 4, 17, \out
        ps_madds0 \out + 1, \m + 5, 17, \out + 1
        ps_madds1 \out + 2, \m + 4, 18, \out + 2
        ps_madds1 \out + 3, \m + 5, 18, \out + 3
        ps_merge00 \out + 1, \out + 1, \out + 2         # (z, nx)
        ps_merge10 \out + 2, \out + 2, \out + 3         # (ny, nz)
.endm

.macro  load_vertex address
        psq_l   16, 0(\address), 0, 7
        psq_l   17, 4(\address), 0, 7
        psq_l   18, 8(\address), 0, 7
.endm

.macro  store_vertex first, address
        psq_st  \first, 0(\address), 0, 7
        psq_st  \first + 1, 4(\address), 0, 7
        psq_st  \first + 2, 8(\address), 0, 7
.endm

# sk1Routine(matrix, firstVertex, count)
        .section .sk1, "ax"
        .globl  sk1Routine
sk1Routine:
        .set    routine, sk1Routine
        load_matrix 3, 0
        addi    5, 5, -1
        mtctr   5
        load_vertex 4
        transform 0, 20
        upto    0xB8
1:      psq_l   16, 12(4), 0, 7
        psq_st  20, 0(4), 0, 7
        upto    0xCC
        psq_l   17, 16(4), 0, 7
        psq_st  21, 4(4), 0, 7
        upto    0xD8
        psq_l   18, 20(4), 0, 7
        psq_st  22, 8(4), 0, 7
        addi    4, 4, 12
        transform 0, 20
        bdnz    1b
        store_vertex 20, 4
        blr

# sk2Routine(matrix1, matrix2, firstVertex, weights, count)
# One copy of the blend has to do, or the loads would not fit between 0x19C and SKAcc: it also serves the last vertex, with r8 = 1.
        .section .sk2, "ax"
        .globl  sk2Routine
sk2Routine:
        .set    routine, sk2Routine
        load_matrix 3, 0
        load_matrix 4, 8
        addi    7, 7, -1
        mtctr   7
        li      8, 0
        load_vertex 5
        psq_l   19, 0(6), 0, 6                          # the two weights
        upto    0x10C
1:      transform 0, 20
        transform 8, 24
        ps_muls0  20, 20, 19
        ps_muls0  21, 21, 19
        ps_muls0  22, 22, 19
        ps_madds1 20, 24, 19, 20
        ps_madds1 21, 25, 19, 21
        ps_madds1 22, 26, 19, 22
        cmpwi   8, 0
        bne     2f
        upto    0x19C
        psq_l   16, 12(5), 0, 7
        psq_st  20, 0(5), 0, 7
        psq_l   19, 2(6), 0, 6
        addi    6, 6, 2
        upto    0x1B4
        psq_l   17, 16(5), 0, 7
        psq_st  21, 4(5), 0, 7
        upto    0x1C4
        psq_l   18, 20(5), 0, 7
        psq_st  22, 8(5), 0, 7
        addi    5, 5, 12
        bdnz    1b
        li      8, 1
        b       1b
2:      store_vertex 20, 5
        blr

# skAccRoutine(matrix, source, indices, weights, destinations, count)
        .section .skacc, "ax"
        .globl  skAccRoutine
skAccRoutine:
        .set    routine, skAccRoutine
        load_matrix 3, 0
        mtctr   8
        lhz     9, 0(5)
        load_vertex 4
1:      mulli   9, 9, 12
        add     9, 9, 7                                 # the destination vertex
        psq_l   19, 0(6), 1, 6
        addi    6, 6, 1
        transform 0, 20
        lhzu    10, 2(5)                                # the next index, one past the end in the last pass
        upto    0xCC
        psq_l   16, 12(4), 0, 7
        upto    0xD4
        psq_l   17, 16(4), 0, 7
        upto    0xDC
        psq_l   18, 20(4), 0, 7
        addi    4, 4, 12
        psq_l   24, 0(9), 0, 7
        psq_l   25, 4(9), 0, 7
        psq_l   26, 8(9), 0, 7
        ps_madds0 24, 20, 19, 24
        ps_madds0 25, 21, 19, 25
        ps_madds0 26, 22, 19, 26
        store_vertex 24, 9
        dcbst   0, 9
        mr      9, 10
        bdnz    1b
        blr
