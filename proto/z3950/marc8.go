package z3950

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// ansel is the Extended Latin set of MARC-8 (ANSEL, ANSI/NISO Z39.47), which
// stands in the upper half of the octets unless an escape says otherwise: MARC
// 21 Specifications, "Character Sets: MARC-8 Encoding Environment", part 3.
var ansel = [256]rune{
	0xA1: 0x0141, 0xA2: 0x00D8, 0xA3: 0x0110, 0xA4: 0x00DE, 0xA5: 0x00C6, 0xA6: 0x0152, 0xA7: 0x02B9, 0xA8: 0x00B7,
	0xA9: 0x266D, 0xAA: 0x00AE, 0xAB: 0x00B1, 0xAC: 0x01A0, 0xAD: 0x01AF, 0xAE: 0x02BC, 0xB0: 0x02BB, 0xB1: 0x0142,
	0xB2: 0x00F8, 0xB3: 0x0111, 0xB4: 0x00FE, 0xB5: 0x00E6, 0xB6: 0x0153, 0xB7: 0x02BA, 0xB8: 0x0131, 0xB9: 0x00A3,
	0xBA: 0x00F0, 0xBC: 0x01A1, 0xBD: 0x01B0, 0xC0: 0x00B0, 0xC1: 0x2113, 0xC2: 0x2117, 0xC3: 0x00A9, 0xC4: 0x266F,
	0xC5: 0x00BF, 0xC6: 0x00A1, 0xC7: 0x00DF, 0xC8: 0x20AC,
	// Marks stand before their letter, where Unicode has them behind it.
	0xE0: 0x0309, 0xE1: 0x0300, 0xE2: 0x0301, 0xE3: 0x0302, 0xE4: 0x0303, 0xE5: 0x0304, 0xE6: 0x0306, 0xE7: 0x0307,
	0xE8: 0x0308, 0xE9: 0x030C, 0xEA: 0x030A, 0xEB: 0xFE20, 0xEC: 0xFE21, 0xED: 0x0315, 0xEE: 0x030B, 0xEF: 0x0310,
	0xF0: 0x0327, 0xF1: 0x0328, 0xF2: 0x0323, 0xF3: 0x0324, 0xF4: 0x0325, 0xF5: 0x0333, 0xF6: 0x0332, 0xF7: 0x0326,
	0xF8: 0x031C, 0xF9: 0x032E, 0xFA: 0xFE22, 0xFB: 0xFE23, 0xFE: 0x0313,
}

// composed are the letters with one mark that have a character of their own,
// by the letter and the mark, for the marks of Europe's languages.
var composed = sync.OnceValue(func() map[[2]rune]rune {
	m := map[[2]rune]rune{}
	for mark, pairs := range map[rune]string{
		0x0300: "AÀEÈIÌOÒUÙaàeèiìoòuùNǸnǹ", 0x0301: "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzź", 0x0302: "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷ",
		0x0303: "AÃNÑOÕaãnñoõIĨiĩUŨuũ", 0x0304: "AĀaāEĒeēIĪiīOŌoōUŪuū", 0x0306: "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭ", 0x0307: "CĊcċEĖeėGĠgġIİZŻzż",
		0x0308: "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸ", 0x030A: "AÅaåUŮuů", 0x030B: "OŐoőUŰuű", 0x030C: "CČcčDĎdďEĚeěNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎ",
		0x0327: "CÇcçGĢKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ", 0x0328: "AĄaąEĘeęIĮiįUŲuųOǪoǫ",
	} {
		rs := []rune(pairs)
		for i := 0; i+1 < len(rs); i += 2 {
			m[[2]rune{rs[i], mark}] = rs[i+1]
		}
	}
	return m
})

// fromMARC8 is a text of a record that says it is in MARC-8 as UTF-8. One that
// is UTF-8 all the same, as many are, stays as it is, and so does one that
// moves to another character set by an escape or holds what is in none.
func fromMARC8(s string) string {
	if utf8.ValidString(s) || strings.IndexByte(s, 0x1b) >= 0 {
		return s
	}
	var b strings.Builder
	var marks []rune
	for i := 0; i < len(s); i++ {
		r := rune(s[i])
		if s[i] >= 0x80 {
			if r = ansel[s[i]]; r == 0 {
				return s
			}
			if s[i] >= 0xE0 {
				marks = append(marks, r)
				continue
			}
		}
		if len(marks) > 0 {
			if one, ok := composed()[[2]rune{r, marks[0]}]; ok {
				r, marks = one, marks[1:]
			}
		}
		b.WriteRune(r)
		for _, m := range marks {
			b.WriteRune(m)
		}
		marks = marks[:0]
	}
	if len(marks) > 0 {
		return s // a mark on nothing
	}
	return b.String()
}

// Decoded is the record with its texts in UTF-8, for a record of MARC 21 whose
// leader does not say that they are: position 9 is "a" for Unicode and blank
// for MARC-8.
func (m MARC) Decoded() MARC {
	if len(m.Leader) > 9 && m.Leader[9] == 'a' {
		return m
	}
	d := MARC{Leader: m.Leader, Fields: make([]MARCField, len(m.Fields))}
	for i, f := range m.Fields {
		f.Data = fromMARC8(f.Data)
		subfields := make([]Subfield, len(f.Subfields))
		for j, s := range f.Subfields {
			subfields[j] = Subfield{s.Code, fromMARC8(s.Data)}
		}
		f.Subfields = subfields
		d.Fields[i] = f
	}
	return d
}
