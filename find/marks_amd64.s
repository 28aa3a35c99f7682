//go:build !purego

#include "textflag.h"

// All these loops give, beside the words, how many newlines there are, and busy,
// which has a bit for each word, the last one lowest, set where it is not zero.

// func marksColonAVX2(words []uint64, s string, at int) (lines int, busy uint64)
TEXT ·marksColonAVX2(SB), NOSPLIT, $0-64
	MOVQ words_base+0(FP), DI
	MOVQ words_len+8(FP), CX
	MOVQ s_base+24(FP), SI
	ADDQ at+40(FP), SI
	XORL R8, R8

	VPBROADCASTB colon<>(SB), Y14
	VPBROADCASTB above<>(SB), Y15
	VPBROADCASTB newline<>(SB), Y13
	VPBROADCASTB equals<>(SB), Y10
	VPXOR Y11, Y11, Y11 // newlines, one count a lane
	VPXOR Y12, Y12, Y12

colonLoop:
	PREFETCHT0 4096(SI)
	VPCMPEQB 0(SI), Y13, Y6
	VPCMPEQB 32(SI), Y13, Y7
	VPSUBB   Y6, Y11, Y11
	VPSUBB   Y7, Y12, Y12
	VPCMPEQB 0(SI), Y14, Y0
	VPCMPEQB 32(SI), Y14, Y1
	VPCMPGTB 1(SI), Y15, Y2 // the next byte is 0x22 or below, or above ASCII
	VPCMPGTB 33(SI), Y15, Y3
	VPCMPEQB 1(SI), Y14, Y4 // or another ":",
	VPCMPEQB 33(SI), Y14, Y5
	VPOR     Y4, Y2, Y2
	VPOR     Y5, Y3, Y3
	VPCMPEQB 1(SI), Y10, Y4 // or "="
	VPCMPEQB 33(SI), Y10, Y5
	VPOR     Y4, Y2, Y2
	VPOR     Y5, Y3, Y3
	VPANDN   Y0, Y2, Y2
	VPANDN   Y1, Y3, Y3
	VPMOVMSKB Y2, AX
	VPMOVMSKB Y3, BX
	SHLQ $32, BX
	ORQ  BX, AX
	MOVQ AX, 0(DI)
	NEGQ AX       // carry, if it is not zero
	ADCQ R8, R8
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  colonLoop

	VPXOR  Y0, Y0, Y0
	VPSADBW Y0, Y11, Y11
	VPSADBW Y0, Y12, Y12
	VPADDQ Y11, Y12, Y11
	VEXTRACTI128 $1, Y11, X0
	VPADDQ X0, X11, X11
	VPSRLDQ $8, X11, X0
	VPADDQ X0, X11, X11
	VMOVQ  X11, AX
	MOVQ   AX, lines+48(FP)
	MOVQ   R8, busy+56(FP)
	VZEROUPPER
	RET

// func marksAllAVX2(words []uint64, s string, at int, c, d, h uint64) (lines int, busy uint64)
//
// A byte's class is the AND of two table entries, one for each nibble: bit 7
// for ":", 6 for ".", 5 for "@", and any of bits 0 to 4 for the word bytes. The
// loop reads at s+1, so that the byte behind every mark of a word is in hand;
// what stands before it comes over from the word before.
TEXT ·marksAllAVX2(SB), NOSPLIT, $0-88
	MOVQ words_base+0(FP), DI
	MOVQ words_len+8(FP), CX
	MOVQ s_base+24(FP), SI
	ADDQ at+40(FP), SI
	MOVQ c+48(FP), R8
	MOVQ d+56(FP), R9
	MOVQ h+64(FP), R10
	XORL R15, R15

	VBROADCASTI128 low<>(SB), Y10
	VBROADCASTI128 top<>(SB), Y11
	VPBROADCASTB nibble<>(SB), Y12
	VPBROADCASTB wordBits<>(SB), Y13
	VPBROADCASTB quote<>(SB), Y15
	VPXOR Y14, Y14, Y14
	VPBROADCASTB newline<>(SB), Y9
	VPXOR Y8, Y8, Y8 // newlines, one count a lane

allLoop:
	PREFETCHT0 4096(SI)
	VPCMPEQB 0(SI), Y9, Y6
	VPSUBB   Y6, Y8, Y8
	VPCMPEQB 32(SI), Y9, Y7
	VPSUBB   Y7, Y8, Y8
	VMOVDQU 1(SI), Y0
	VMOVDQU 33(SI), Y1
	VPAND   Y12, Y0, Y2
	VPAND   Y12, Y1, Y3
	VPSRLW  $4, Y0, Y4
	VPSRLW  $4, Y1, Y5
	VPAND   Y12, Y4, Y4
	VPAND   Y12, Y5, Y5
	VPSHUFB Y2, Y10, Y2
	VPSHUFB Y3, Y10, Y3
	VPSHUFB Y4, Y11, Y4
	VPSHUFB Y5, Y11, Y5
	VPAND   Y2, Y4, Y2 // classes
	VPAND   Y3, Y5, Y3

	// R11: the colons
	VPMOVMSKB Y2, R11
	VPMOVMSKB Y3, AX
	SHLQ $32, AX
	ORQ  AX, R11

	// R12: "." and "@"
	VPADDB Y2, Y2, Y4
	VPADDB Y3, Y3, Y5
	VPADDB Y4, Y4, Y6
	VPADDB Y5, Y5, Y7
	VPOR   Y4, Y6, Y4
	VPOR   Y5, Y7, Y5
	VPMOVMSKB Y4, R12
	VPMOVMSKB Y5, AX
	SHLQ $32, AX
	ORQ  AX, R12

	// R13: word bytes
	VPAND    Y13, Y2, Y2
	VPAND    Y13, Y3, Y3
	VPCMPGTB Y14, Y2, Y2
	VPCMPGTB Y14, Y3, Y3
	VPMOVMSKB Y2, R13
	VPMOVMSKB Y3, AX
	SHLQ $32, AX
	ORQ  AX, R13

	// DX: above 0x22, and ASCII
	VPCMPGTB Y15, Y0, Y0
	VPCMPGTB Y15, Y1, Y1
	VPMOVMSKB Y0, DX
	VPMOVMSKB Y1, AX
	SHLQ $32, AX
	ORQ  AX, DX

	MOVQ R11, AX
	SHLQ $1, R8, AX  // ":" here
	ANDQ DX, AX      // and above 0x22 behind it
	MOVQ R12, BX
	SHLQ $1, R9, BX  // "." or "@" here
	ANDQ R13, BX     // and a word byte behind it
	ORQ  BX, AX
	MOVQ R13, BX
	SHLQ $2, R10, BX // a word byte before it
	ANDQ BX, AX
	MOVQ AX, 0(DI)
	NEGQ AX // carry, if it is not zero
	ADCQ R15, R15

	MOVQ R11, R8
	MOVQ R12, R9
	MOVQ R13, R10
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  allLoop

	VPSADBW Y14, Y8, Y8
	VEXTRACTI128 $1, Y8, X0
	VPADDQ X0, X8, X8
	VPSRLDQ $8, X8, X0
	VPADDQ X0, X8, X8
	VMOVQ  X8, AX
	MOVQ   AX, lines+72(FP)
	MOVQ   R15, busy+80(FP)
	VZEROUPPER
	RET

// The same with vectors twice as long.

// func marksColonAVX512(words []uint64, s string, at int) (lines int, busy uint64)
TEXT ·marksColonAVX512(SB), NOSPLIT, $0-64
	MOVQ words_base+0(FP), DI
	MOVQ words_len+8(FP), CX
	MOVQ s_base+24(FP), SI
	ADDQ at+40(FP), SI
	XORL R8, R8
	XORL R9, R9

	MOVL $0x3A3A3A3A, AX
	VPBROADCASTD AX, Z14
	MOVL $0x0A0A0A0A, AX
	VPBROADCASTD AX, Z13
	MOVL $0x22222222, AX
	VPBROADCASTD AX, Z15
	MOVL $0x3D3D3D3D, AX
	VPBROADCASTD AX, Z12

colon512Loop:
	PREFETCHT0 4096(SI)
	VMOVDQU64 0(SI), Z0
	VPCMPEQB Z0, Z13, K1
	VPCMPEQB Z0, Z14, K2
	VMOVDQU64 1(SI), Z1
	VPCMPB $1, Z1, Z15, K2, K2 // 0x22 is less than the next byte, which is ASCII,
	VPCMPB $4, Z1, Z14, K2, K2 // and neither ":"
	VPCMPB $4, Z1, Z12, K2, K2 // nor "="
	KMOVQ K1, BX
	KMOVQ K2, AX
	POPCNTQ BX, BX
	MOVQ AX, 0(DI)
	ADDQ BX, R9
	NEGQ AX // carry, if it is not zero
	ADCQ R8, R8
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  colon512Loop

	MOVQ R9, lines+48(FP)
	MOVQ R8, busy+56(FP)
	VZEROUPPER
	RET

// func marksAllAVX512(words []uint64, s string, at int, c, d, h uint64) (lines int, busy uint64)
TEXT ·marksAllAVX512(SB), NOSPLIT, $0-88
	MOVQ words_base+0(FP), DI
	MOVQ words_len+8(FP), CX
	MOVQ s_base+24(FP), SI
	ADDQ at+40(FP), SI
	MOVQ c+48(FP), R8
	MOVQ d+56(FP), R9
	MOVQ h+64(FP), R10
	XORL R15, R15
	XORL DX, DX // newlines

	VBROADCASTI32X4 low<>(SB), Z10
	VBROADCASTI32X4 top<>(SB), Z11
	MOVL $0x0F0F0F0F, AX
	VPBROADCASTD AX, Z12
	MOVL $0x1F1F1F1F, AX
	VPBROADCASTD AX, Z13
	MOVL $0x60606060, AX
	VPBROADCASTD AX, Z14
	MOVL $0x22222222, AX
	VPBROADCASTD AX, Z15
	MOVL $0x0A0A0A0A, AX
	VPBROADCASTD AX, Z9

all512Loop:
	PREFETCHT0 4096(SI)
	VPCMPEQB 0(SI), Z9, K5 // newlines
	VMOVDQU64 1(SI), Z0
	VPANDD   Z12, Z0, Z2
	VPSRLW   $4, Z0, Z3
	VPANDD   Z12, Z3, Z3
	VPSHUFB  Z2, Z10, Z2
	VPSHUFB  Z3, Z11, Z3
	VPANDD   Z2, Z3, Z2      // classes
	VPMOVB2M Z2, K1          // ":"
	VPTESTMB Z14, Z2, K2     // "." and "@"
	VPTESTMB Z13, Z2, K3     // word bytes
	VPCMPB   $1, Z0, Z15, K4 // above 0x22, and ASCII
	KMOVQ K1, R11
	KMOVQ K2, R12
	KMOVQ K3, R13
	KMOVQ K4, R14
	KMOVQ K5, BX
	POPCNTQ BX, BX
	ADDQ BX, DX

	MOVQ R11, AX
	SHLQ $1, R8, AX  // ":" here
	ANDQ R14, AX // and above 0x22 behind it
	MOVQ R12, BX
	SHLQ $1, R9, BX  // "." or "@" here
	ANDQ R13, BX     // and a word byte behind it
	ORQ  BX, AX
	MOVQ R13, BX
	SHLQ $2, R10, BX // a word byte before it
	ANDQ BX, AX
	MOVQ AX, 0(DI)
	NEGQ AX // carry, if it is not zero
	ADCQ R15, R15

	MOVQ R11, R8
	MOVQ R12, R9
	MOVQ R13, R10
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  all512Loop

	MOVQ DX, lines+72(FP)
	MOVQ R15, busy+80(FP)
	VZEROUPPER
	RET

// func headAVX2(s string, i int) (labels, dots, hyphens uint32, end int)
TEXT ·headAVX2(SB), NOSPLIT, $0-48
	MOVQ s_base+0(FP), SI
	MOVQ i+16(FP), R8
	VMOVDQU (SI)(R8*1), Y0
	VBROADCASTI128 low<>(SB), Y8
	VBROADCASTI128 top<>(SB), Y9
	VBROADCASTI128 endLow<>(SB), Y10
	VBROADCASTI128 endTop<>(SB), Y11
	VPBROADCASTB nibble<>(SB), Y12
	VPBROADCASTB hyphen<>(SB), Y13
	VPXOR Y14, Y14, Y14
	VPAND   Y12, Y0, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y1, Y8, Y3
	VPSHUFB Y2, Y9, Y4
	VPAND   Y3, Y4, Y3 // classes of the marks
	VPSHUFB Y1, Y10, Y1
	VPSHUFB Y2, Y11, Y2
	VPAND   Y1, Y2, Y1 // zero where plain
	VPCMPEQB Y0, Y13, Y0
	VPMOVMSKB Y0, CX   // hyphens
	VPADDB  Y3, Y3, Y4
	VPMOVMSKB Y4, BX   // dots: bit 6
	VPAND   Y12, Y3, Y3
	VPCMPGTB Y14, Y3, Y3
	VPMOVMSKB Y3, AX   // letters, digits and "_": bits 0 to 3
	MOVL AX, labels+24(FP)
	MOVL BX, dots+28(FP)
	MOVL CX, hyphens+32(FP)
	MOVQ s_len+8(FP), CX
	SUBQ $64, CX // the last place to read two vectors from

	VPCMPEQB Y14, Y1, Y1
	VPMOVMSKB Y1, DX
	CMPQ R8, CX
	JGT  headShort

	// The next 32 bytes as well: most tails end there, and whether in the first
	// or in the second half is not to be guessed.
	VMOVDQU 32(SI)(R8*1), Y0
	VPAND   Y12, Y0, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y1, Y10, Y1
	VPSHUFB Y2, Y11, Y2
	VPAND   Y1, Y2, Y1
	VPCMPEQB Y14, Y1, Y1
	VPMOVMSKB Y1, BX
	SHLQ $32, BX
	ORQ  BX, DX
	XORQ $-1, DX
	JNZ  headFound
	ADDQ $32, R8
	ADDQ $32, CX

headLoop:
	ADDQ $32, R8
	CMPQ R8, CX
	JGT  headDone
	VMOVDQU (SI)(R8*1), Y0
	VPAND   Y12, Y0, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y1, Y10, Y1
	VPSHUFB Y2, Y11, Y2
	VPAND   Y1, Y2, Y1
	VPCMPEQB Y14, Y1, Y1
	VPMOVMSKB Y1, DX
	XORL $0xFFFFFFFF, DX
	JZ   headLoop
	JMP  headFound

headShort:
	XORL $0xFFFFFFFF, DX
	JNZ  headFound
	ADDQ $32, R8
	JMP  headDone

headFound:
	BSFQ DX, DX
	ADDQ DX, R8

headDone:
	MOVQ R8, end+40(FP)
	VZEROUPPER
	RET

// func labelsAVX2(s string, i int) (labels, dots, hyphens uint32)
//
// The first part of headAVX2.
TEXT ·labelsAVX2(SB), NOSPLIT, $0-36
	MOVQ s_base+0(FP), SI
	MOVQ i+16(FP), R8
	VMOVDQU (SI)(R8*1), Y0
	VBROADCASTI128 low<>(SB), Y8
	VBROADCASTI128 top<>(SB), Y9
	VPBROADCASTB nibble<>(SB), Y12
	VPBROADCASTB hyphen<>(SB), Y13
	VPXOR Y14, Y14, Y14
	VPAND   Y12, Y0, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y1, Y8, Y3
	VPSHUFB Y2, Y9, Y4
	VPAND   Y3, Y4, Y3
	VPCMPEQB Y0, Y13, Y0
	VPMOVMSKB Y0, CX
	VPADDB  Y3, Y3, Y4
	VPMOVMSKB Y4, BX
	VPAND   Y12, Y3, Y3
	VPCMPGTB Y14, Y3, Y3
	VPMOVMSKB Y3, AX
	MOVL AX, labels+24(FP)
	MOVL BX, dots+28(FP)
	MOVL CX, hyphens+32(FP)
	VZEROUPPER
	RET

// func newlinesAVX2(s string, i, j int) (n, behind int)
TEXT ·newlinesAVX2(SB), NOSPLIT, $0-48
	MOVQ s_base+0(FP), SI
	MOVQ i+16(FP), DX
	MOVQ j+24(FP), CX
	VPBROADCASTB newline<>(SB), Y13
	XORL R8, R8    // how many
	MOVQ DX, R9    // the place behind the last
	SUBQ DX, CX    // bytes left
	JLE  newlinesDone

newlinesLoop:
	VPCMPEQB (SI)(DX*1), Y13, Y0
	VPCMPEQB 32(SI)(DX*1), Y13, Y1
	VPCMPEQB 64(SI)(DX*1), Y13, Y2
	VPCMPEQB 96(SI)(DX*1), Y13, Y3
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y1, BX
	VPMOVMSKB Y2, R11
	VPMOVMSKB Y3, R12
	SHLQ $32, BX
	SHLQ $32, R12
	ORQ  BX, AX
	ORQ  R12, R11
	CMPQ CX, $128
	JGE  newlinesWhole

	// The bytes behind s[j-1] do not count.
	MOVQ    CX, R12
	SUBQ    $64, R12
	MOVL    $0, R13
	CMOVQLT R13, R12 // of the upper half
	MOVQ    $64, R13
	CMPQ    CX, R13
	CMOVQLT CX, R13  // of the lower half
	BZHIQ   R13, AX, AX
	BZHIQ   R12, R11, R11

newlinesWhole:
	POPCNTQ AX, BX
	ADDQ BX, R8
	POPCNTQ R11, BX
	ADDQ BX, R8
	BSRQ AX, BX
	LEAQ 1(DX)(BX*1), R10
	TESTQ AX, AX
	CMOVQNE R10, R9
	BSRQ R11, BX
	LEAQ 65(DX)(BX*1), R10
	TESTQ R11, R11
	CMOVQNE R10, R9
	ADDQ $128, DX
	SUBQ $128, CX
	JGT  newlinesLoop

newlinesDone:
	MOVQ R8, n+32(FP)
	MOVQ R9, behind+40(FP)
	VZEROUPPER
	RET

// func headAVX512(s string, i int) (labels, dots, hyphens uint32, end int)
TEXT ·headAVX512(SB), NOSPLIT, $0-48
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ i+16(FP), R8
	SUBQ $64, CX // the last place to read from
	MOVL $0x0F0F0F0F, AX
	VPBROADCASTD AX, Z12
	VBROADCASTI32X4 endLow<>(SB), Z10
	VBROADCASTI32X4 endTop<>(SB), Z11
	VBROADCASTI128 low<>(SB), Y8
	VBROADCASTI128 top<>(SB), Y9
	MOVL $0x40404040, AX
	VPBROADCASTD AX, Y13
	MOVL $0x2D2D2D2D, AX
	VPBROADCASTD AX, Y14
	VMOVDQU64 (SI)(R8*1), Z0
	VPANDD   Z12, Z0, Z1
	VPSRLW   $4, Z0, Z2
	VPANDD   Z12, Z2, Z2
	VPSHUFB  Z1, Z10, Z3
	VPSHUFB  Z2, Z11, Z4
	VPTESTMB Z3, Z4, K1  // not plain
	VPSHUFB  Y1, Y8, Y3
	VPSHUFB  Y2, Y9, Y4
	VPAND    Y3, Y4, Y3  // classes of the marks
	VPTESTMB Y13, Y3, K2 // dots
	VPTESTMB Y12, Y3, K3 // letters, digits and "_"
	VPCMPEQB Y0, Y14, K4
	KMOVQ K1, DX
	KMOVD K2, BX
	KMOVD K3, AX
	KMOVD K4, DI
	MOVL AX, labels+24(FP)
	MOVL BX, dots+28(FP)
	MOVL DI, hyphens+32(FP)
	TESTQ DX, DX
	JNZ  head512Found

head512Loop:
	ADDQ $64, R8
	CMPQ R8, CX
	JGT  head512Done
	VMOVDQU64 (SI)(R8*1), Z0
	VPANDD   Z12, Z0, Z1
	VPSRLW   $4, Z0, Z2
	VPANDD   Z12, Z2, Z2
	VPSHUFB  Z1, Z10, Z1
	VPSHUFB  Z2, Z11, Z2
	VPTESTMB Z1, Z2, K1
	KMOVQ K1, DX
	TESTQ DX, DX
	JZ   head512Loop

head512Found:
	BSFQ DX, DX
	ADDQ DX, R8

head512Done:
	MOVQ R8, end+40(FP)
	VZEROUPPER
	RET

// func newlinesAVX512(s string, i, j int) (n, behind int)
TEXT ·newlinesAVX512(SB), NOSPLIT, $0-48
	MOVQ s_base+0(FP), SI
	MOVQ i+16(FP), DX
	MOVQ j+24(FP), CX
	MOVL $0x0A0A0A0A, AX
	VPBROADCASTD AX, Z13
	XORL R8, R8    // how many
	MOVQ DX, R9    // the place behind the last
	SUBQ DX, CX    // bytes left
	JLE  newlines512Done

newlines512Loop:
	VPCMPEQB (SI)(DX*1), Z13, K1
	VPCMPEQB 64(SI)(DX*1), Z13, K2
	KMOVQ K1, AX
	KMOVQ K2, R11
	CMPQ CX, $128
	JGE  newlines512Whole

	// The bytes behind s[j-1] do not count.
	MOVQ    CX, R12
	SUBQ    $64, R12
	MOVL    $0, R13
	CMOVQLT R13, R12 // of the upper half
	MOVQ    $64, R13
	CMPQ    CX, R13
	CMOVQLT CX, R13  // of the lower half
	BZHIQ   R13, AX, AX
	BZHIQ   R12, R11, R11

newlines512Whole:
	POPCNTQ AX, BX
	ADDQ BX, R8
	POPCNTQ R11, BX
	ADDQ BX, R8
	BSRQ AX, BX // zero, and BX as it was, where there is none
	LEAQ 1(DX)(BX*1), R10
	CMOVQNE R10, R9
	BSRQ R11, BX
	LEAQ 65(DX)(BX*1), R10
	CMOVQNE R10, R9
	ADDQ $128, DX
	SUBQ $128, CX
	JGT  newlines512Loop

newlines512Done:
	MOVQ R8, n+32(FP)
	MOVQ R9, behind+40(FP)
	VZEROUPPER
	RET

DATA colon<>+0(SB)/1, $0x3A
GLOBL colon<>(SB), RODATA|NOPTR, $1
DATA equals<>+0(SB)/1, $0x3D
GLOBL equals<>(SB), RODATA|NOPTR, $1
DATA above<>+0(SB)/1, $0x23
GLOBL above<>(SB), RODATA|NOPTR, $1
DATA quote<>+0(SB)/1, $0x22
GLOBL quote<>(SB), RODATA|NOPTR, $1
DATA newline<>+0(SB)/1, $0x0A
GLOBL newline<>(SB), RODATA|NOPTR, $1
DATA hyphen<>+0(SB)/1, $0x2D
GLOBL hyphen<>(SB), RODATA|NOPTR, $1
DATA nibble<>+0(SB)/1, $0x0F
GLOBL nibble<>(SB), RODATA|NOPTR, $1
DATA wordBits<>+0(SB)/1, $0x1F
GLOBL wordBits<>(SB), RODATA|NOPTR, $1

// By the upper nibble: 2 "." | 3 digits, ":" | 4 "@", A-O | 5 P-Z, "_" |
// 6 a-o | 7 p-z | 8 to F above ASCII.
//   bit 0: digits, lower nibble 0-9      bit 1: letters, lower nibble 1-F
//   bit 2: letters, lower nibble 0-A     bit 3: "_"     bit 4: above ASCII
DATA top<>+0(SB)/8, $0x04020C2281400000
DATA top<>+8(SB)/8, $0x1010101010101010
GLOBL top<>(SB), RODATA|NOPTR, $16
DATA low<>+0(SB)/8, $0x1717171717171735
DATA low<>+8(SB)/8, $0x1A52121212961717
GLOBL low<>(SB), RODATA|NOPTR, $16

// func plainAVX2(s string, i int) int
//
// As above, a byte's class is the AND of two entries: zero for the plain bytes.
TEXT ·plainAVX2(SB), NOSPLIT, $0-32
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ i+16(FP), DX
	SUBQ $32, CX // the last place to read from

	VBROADCASTI128 endLow<>(SB), Y10
	VBROADCASTI128 endTop<>(SB), Y11
	VPBROADCASTB nibble<>(SB), Y12
	VPXOR Y14, Y14, Y14

plainLoop:
	CMPQ DX, CX
	JGT  plainDone
	VMOVDQU (SI)(DX*1), Y0
	VPAND   Y12, Y0, Y2
	VPSRLW  $4, Y0, Y4
	VPAND   Y12, Y4, Y4
	VPSHUFB Y2, Y10, Y2
	VPSHUFB Y4, Y11, Y4
	VPAND   Y2, Y4, Y2
	VPCMPEQB Y14, Y2, Y2
	VPMOVMSKB Y2, AX
	XORL $0xFFFFFFFF, AX
	JNZ  plainFound
	ADDQ $32, DX
	JMP  plainLoop

plainFound:
	BSFL AX, AX
	ADDQ AX, DX

plainDone:
	MOVQ DX, ret+24(FP)
	VZEROUPPER
	RET

// By the upper nibble: 0, 1 controls | 2 SP " & ' ( ) , | 3 ; < > |
// 5 [ \ ] | 6 the grave accent | 7 { | } DEL | 8 to F above ASCII.
DATA endTop<>+0(SB)/8, $0x2010080004020101
DATA endTop<>+8(SB)/8, $0x4040404040404040
GLOBL endTop<>(SB), RODATA|NOPTR, $16
DATA endLow<>+0(SB)/8, $0x4343414141434153
DATA endLow<>+8(SB)/8, $0x6145696F6D414343
GLOBL endLow<>(SB), RODATA|NOPTR, $16
