//go:build !purego

#include "textflag.h"

// A byte's class is lowClass[its low four bits] AND highClass[its high four
// bits], eight classes at once, one bit each:
//
//	01  0x00-0x1F, 0x80-0xFF      08  `
//	02  space " '                 10  { } DEL
//	04  < > \ ^                   20  . %
//	                              40  #
//	                              80  ?
//
// A byte of the first five is not clean. (' needs to be encoded in a query
// alone, and ` ^ { } in a path alone; they are too rare to tell.)
DATA lowClass<>+0x00(SB)/8, $0x030121014103010b
DATA lowClass<>+0x08(SB)/8, $0x9125110511010101
GLOBL lowClass<>(SB), RODATA|NOPTR, $16
DATA highClass<>+0x00(SB)/8, $0x1008040084620101
DATA highClass<>+0x08(SB)/8, $0x0101010101010101
GLOBL highClass<>(SB), RODATA|NOPTR, $16

// The same for the bytes of a host: 01 a-o, 02 p-z, 04 0-9, 08 - and ., 10 _.
DATA lowHost<>+0x00(SB)/8, $0x0707070707070706
DATA lowHost<>+0x08(SB)/8, $0x1109090101030707
GLOBL lowHost<>(SB), RODATA|NOPTR, $16
DATA highHost<>+0x00(SB)/8, $0x0201100004080000
DATA highHost<>+0x08(SB)/8, $0x0000000000000000
GLOBL highHost<>(SB), RODATA|NOPTR, $16

DATA nibble<>+0x00(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $8
DATA slash<>+0x00(SB)/8, $0x2f2f2f2f2f2f2f2f
GLOBL slash<>(SB), RODATA|NOPTR, $8
DATA unclean<>+0x00(SB)/8, $0x1f1f1f1f1f1f1f1f
GLOBL unclean<>(SB), RODATA|NOPTR, $8
DATA letterA<>+0x00(SB)/8, $0x6161616161616161
GLOBL letterA<>(SB), RODATA|NOPTR, $8

// 32 bytes from keep+32-n on keep the first n bytes of a block.
DATA keep<>+0x00(SB)/8, $0xffffffffffffffff
DATA keep<>+0x08(SB)/8, $0xffffffffffffffff
DATA keep<>+0x10(SB)/8, $0xffffffffffffffff
DATA keep<>+0x18(SB)/8, $0xffffffffffffffff
DATA keep<>+0x20(SB)/8, $0x0000000000000000
DATA keep<>+0x28(SB)/8, $0x0000000000000000
DATA keep<>+0x30(SB)/8, $0x0000000000000000
DATA keep<>+0x38(SB)/8, $0x0000000000000000
GLOBL keep<>(SB), RODATA|NOPTR, $64

// func scanAVX2(s string, start int) (hostEnd, pathEnd, queryEnd, dots int, clean bool)
//
//	SI  the block            R9   hostEnd, or -1
//	CX  bytes left           R10  pathEnd, or -1
//	R8  offset of the block  R11  queryEnd, or -1
//	R12 1 if the byte before the block is "/"
//	R13 the first "." or "%" behind "/", or -1
//	Y6  classes, gathered
TEXT ·scanAVX2(SB), NOSPLIT, $32-57
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ start+16(FP), R8
	ADDQ R8, SI
	SUBQ R8, CX
	MOVQ $-1, R9
	MOVQ R9, R10
	MOVQ R9, R11
	MOVQ R9, R13
	XORL R12, R12
	VBROADCASTI128 lowClass<>(SB), Y0
	VBROADCASTI128 highClass<>(SB), Y1
	VBROADCASTI128 lowHost<>(SB), Y2
	VBROADCASTI128 highHost<>(SB), Y3
	VPBROADCASTQ nibble<>(SB), Y4
	VPBROADCASTQ slash<>(SB), Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	SUBQ $32, CX
	JLT  tail

block:
	VMOVDQU (SI), Y8

classify:
	VPAND     Y4, Y8, Y9
	VPSRLW    $4, Y8, Y10
	VPAND     Y4, Y10, Y10
	VPSHUFB   Y9, Y0, Y11
	VPSHUFB   Y10, Y1, Y12
	VPAND     Y11, Y12, Y11
	VPOR      Y11, Y6, Y6
	VPMOVMSKB Y11, AX       // ?
	VPADDB    Y11, Y11, Y12
	VPMOVMSKB Y12, BX       // #
	VPSLLW    $2, Y11, Y12
	VPMOVMSKB Y12, DX       // . and %
	VPCMPEQB  Y5, Y8, Y12
	VPMOVMSKB Y12, DI       // /
	// "/" followed by "." or "%" may be a dot segment
	LEAQ      (R12)(DI*2), R14
	SHRL      $31, DI
	MOVL      DI, R12
	ANDL      DX, R14
	JZ        noDots
	TESTQ     R13, R13
	JGE       noDots
	BSFL      R14, R14
	LEAQ      (R8)(R14*1), R13

noDots:
	TESTQ R9, R9
	JGE   hostKnown
	VPSHUFB   Y9, Y2, Y11
	VPSHUFB   Y10, Y3, Y12
	VPAND     Y11, Y12, Y11
	VPCMPEQB  Y7, Y11, Y11
	VPMOVMSKB Y11, DX
	TESTL     DX, DX
	JZ        hostKnown
	BSFL      DX, DX
	LEAQ      (R8)(DX*1), R9

hostKnown:
	ORL   BX, AX
	JZ    next
	TESTQ R10, R10
	JGE   pathKnown
	BSFL  AX, AX
	LEAQ  (R8)(AX*1), R10

pathKnown:
	TESTL BX, BX
	JZ    next
	TESTQ R11, R11
	JGE   next
	BSFL  BX, BX
	LEAQ  (R8)(BX*1), R11

next:
	ADDQ $32, SI
	ADDQ $32, R8
	SUBQ $32, CX
	JGE  block

tail:
	// CX + 32 bytes are left; in the first pass through here after the last
	// block of all, none or less.
	ADDQ $32, CX
	JLE  done
	LEAQ keep<>+32(SB), DX
	SUBQ CX, DX
	VMOVDQU (DX), Y9
	VPBROADCASTQ letterA<>(SB), Y10
	// Bytes behind the string may be read as long as they are in the same page.
	MOVL SI, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JGT  copy
	VMOVDQU (SI), Y8

pad:
	// Behind the string stands "a", which means nothing to any class.
	VPAND  Y9, Y8, Y8
	VPANDN Y10, Y9, Y10
	VPOR   Y10, Y8, Y8
	// Leave the loop after this block: next makes CX negative, and tail makes
	// it 0 or less.
	MOVQ $-32, CX
	JMP  classify

copy:
	LEAQ buf-32(SP), DI
	MOVQ SI, DX

copyByte:
	MOVB (DX), AL
	MOVB AL, (DI)
	INCQ DX
	INCQ DI
	DECQ CX
	JNZ  copyByte
	VMOVDQU buf-32(SP), Y8
	JMP pad

done:
	VPBROADCASTQ unclean<>(SB), Y8
	MOVQ   s_len+8(FP), AX
	TESTQ  R9, R9
	CMOVQLT AX, R9
	TESTQ  R10, R10
	CMOVQLT AX, R10
	TESTQ  R11, R11
	CMOVQLT AX, R11
	MOVQ   R9, hostEnd+24(FP)
	MOVQ   R10, pathEnd+32(FP)
	MOVQ   R11, queryEnd+40(FP)
	MOVQ   R13, dots+48(FP)
	VPTEST Y8, Y6
	SETEQ  clean+56(FP)
	VZEROUPPER
	RET

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	// The highest leaf of CPUID is at least 7.
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  no
	// Leaf 1: OSXSAVE (27) and AVX (28).
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX
	CMPL CX, $0x18000000
	JNE  no
	// The operating system saves XMM and YMM.
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  no
	// Leaf 7: AVX2 (5).
	MOVL $7, AX
	XORL CX, CX
	CPUID
	TESTL $0x20, BX
	JZ   no
	MOVB $1, ret+0(FP)

no:
	RET
