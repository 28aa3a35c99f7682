//go:build !purego

#include "textflag.h"

// func scan(b []byte, from int) (to int, ok bool)
//
// The way is that of J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One
// Instruction Per Byte" (2020): what can be wrong with two bytes in a row shows
// in three nibbles of them; a bit stands for each fault, and the AND of a table
// entry for each nibble leaves the faults there are. That two continuation bytes
// follow each other is right where a byte two or three places before begins a
// character of three or four.
TEXT ·scan(SB), NOSPLIT, $0-41
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	MOVQ from+24(FP), DX
	LEAQ (SI)(CX*1), DI // the end
	ADDQ DX, SI

	VBROADCASTI128 firstTop<>(SB), Y8
	VBROADCASTI128 firstLow<>(SB), Y9
	VBROADCASTI128 secondTop<>(SB), Y10
	VPBROADCASTB nibble<>(SB), Y11
	VPBROADCASTB three<>(SB), Y12
	VPBROADCASTB four<>(SB), Y13
	VPBROADCASTB high<>(SB), Y14
	VPXOR Y15, Y15, Y15 // faults

ascii:
	PREFETCHT0 4096(SI)
	PREFETCHT0 4160(SI)
	// 128 bytes, and the three before them, of ASCII?
	LEAQ 128(SI), AX
	CMPQ AX, DI
	JHI  mixed
	VMOVDQU -3(SI), Y0
	VPOR 29(SI), Y0, Y0
	VPOR 61(SI), Y0, Y0
	VPOR 93(SI), Y0, Y0
	VPOR 96(SI), Y0, Y0
	VPMOVMSKB Y0, BX
	TESTL BX, BX
	JNZ  mixed
	MOVQ AX, SI
	JMP  ascii

mixed:
	PREFETCHT0 4096(SI)
	LEAQ 32(SI), AX
	CMPQ AX, DI
	JHI  done
	VMOVDQU -1(SI), Y0
	VMOVDQU 0(SI), Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y11, Y2, Y2
	VPSHUFB Y2, Y8, Y2   // by the first byte's upper nibble
	VPAND   Y11, Y0, Y3
	VPSHUFB Y3, Y9, Y3   // by its lower nibble
	VPSRLW  $4, Y1, Y4
	VPAND   Y11, Y4, Y4
	VPSHUFB Y4, Y10, Y4  // by the second byte's upper nibble
	VPAND   Y2, Y3, Y2
	VPAND   Y2, Y4, Y2   // faults, and where two continuation bytes stand
	VMOVDQU -2(SI), Y5
	VMOVDQU -3(SI), Y6
	VPSUBUSB Y12, Y5, Y5 // the top bit stays where three bytes begin
	VPSUBUSB Y13, Y6, Y6 // or four
	VPOR    Y5, Y6, Y5
	VPAND   Y14, Y5, Y5  // where two continuation bytes must stand
	VPXOR   Y2, Y5, Y2
	VPOR    Y2, Y15, Y15
	MOVQ AX, SI
	// Text in another script than Latin has few long stretches of ASCII.
	VPMOVMSKB Y1, BX
	TESTL BX, BX
	JZ   ascii
	JMP  mixed

done:
	SUBQ b_base+0(FP), SI
	MOVQ SI, to+32(FP)
	VPTEST Y15, Y15
	SETEQ ok+40(FP)
	VZEROUPPER
	RET

// func scanWide(b []byte, from int) (to int, ok bool)
//
// The same with vectors twice as long.
TEXT ·scanWide(SB), NOSPLIT, $0-41
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	MOVQ from+24(FP), DX
	LEAQ (SI)(CX*1), DI // the end
	ADDQ DX, SI

	VBROADCASTI32X4 firstTop<>(SB), Z8
	VBROADCASTI32X4 firstLow<>(SB), Z9
	VBROADCASTI32X4 secondTop<>(SB), Z10
	MOVL $0x0F0F0F0F, AX
	VPBROADCASTD AX, Z11
	MOVL $0x60606060, AX
	VPBROADCASTD AX, Z12
	MOVL $0x70707070, AX
	VPBROADCASTD AX, Z13
	MOVL $0x80808080, AX
	VPBROADCASTD AX, Z14
	VPXORQ Z15, Z15, Z15 // faults

asciiWide:
	// Text that nobody has looked at yet, in pages that are far away, comes in
	// time this way, the first of the next page among it: the processor's own
	// foresight ends with a page.
	PREFETCHT0 4096(SI)
	PREFETCHT0 4160(SI)
	LEAQ 128(SI), AX
	CMPQ AX, DI
	JHI  mixedWide
	VMOVDQU64 -3(SI), Z0
	VPORQ 61(SI), Z0, Z0
	VPORQ 64(SI), Z0, Z0
	VPTESTMB Z14, Z0, K1
	KORTESTQ K1, K1
	JNZ  mixedWide
	MOVQ AX, SI
	JMP  asciiWide

mixedWide:
	PREFETCHT0 4096(SI)
	LEAQ 64(SI), AX
	CMPQ AX, DI
	JHI  doneWide
	VMOVDQU64 -1(SI), Z0
	VMOVDQU64 0(SI), Z1
	VPSRLW  $4, Z0, Z2
	VPANDD  Z11, Z2, Z2
	VPSHUFB Z2, Z8, Z2
	VPANDD  Z11, Z0, Z3
	VPSHUFB Z3, Z9, Z3
	VPSRLW  $4, Z1, Z4
	VPANDD  Z11, Z4, Z4
	VPSHUFB Z4, Z10, Z4
	VPTERNLOGD $0x80, Z4, Z3, Z2 // all three
	VMOVDQU64 -2(SI), Z5
	VMOVDQU64 -3(SI), Z6
	VPSUBUSB Z12, Z5, Z5
	VPSUBUSB Z13, Z6, Z6
	VPTERNLOGD $0xA8, Z14, Z6, Z5 // the top bit of either
	VPTERNLOGD $0xF6, Z5, Z2, Z15 // what is in one of them alone is a fault
	MOVQ AX, SI
	VPTESTMB Z14, Z1, K1
	KORTESTQ K1, K1
	JZ   asciiWide
	JMP  mixedWide

doneWide:
	SUBQ b_base+0(FP), SI
	MOVQ SI, to+32(FP)
	VPTESTMB Z15, Z15, K1
	KORTESTQ K1, K1
	SETEQ ok+40(FP)
	VZEROUPPER
	RET

DATA firstTop<>+0(SB)/8, $0x0202020202020202
DATA firstTop<>+8(SB)/8, $0x4915012180808080
GLOBL firstTop<>(SB), RODATA|NOPTR, $16
DATA firstLow<>+0(SB)/8, $0xCBCBCB8B8383A3E7
DATA firstLow<>+8(SB)/8, $0xCBCBDBCBCBCBCBCB
GLOBL firstLow<>(SB), RODATA|NOPTR, $16
DATA secondTop<>+0(SB)/8, $0x0101010101010101
DATA secondTop<>+8(SB)/8, $0x01010101BABAAEE6
GLOBL secondTop<>(SB), RODATA|NOPTR, $16
DATA nibble<>+0(SB)/1, $0x0F
GLOBL nibble<>(SB), RODATA|NOPTR, $1
DATA three<>+0(SB)/1, $0x60
GLOBL three<>(SB), RODATA|NOPTR, $1
DATA four<>+0(SB)/1, $0x70
GLOBL four<>(SB), RODATA|NOPTR, $1
DATA high<>+0(SB)/1, $0x80
GLOBL high<>(SB), RODATA|NOPTR, $1
