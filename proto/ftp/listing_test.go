package ftp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/fetch"
	ftpurl "anyurl/scheme/ftp"
)

func TestParseLIST(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ line, want string }{ // type|name|size|time
		// vsftpd, Pure-FTPd and ProFTPD
		{"drwxr-xr-x    2 0        0            4096 Nov 30 08:40 sub", "dir|sub|-1|2026-11-30 08:40"},
		{"-rw-r--r--    1 0        0            3000 Nov 30 08:40 blob.bin", "file|blob.bin|3000|2026-11-30 08:40"},
		{"-rw-r--r--   1 ftp      ftp          3000 Dec  1  2024 a file.txt", "file|a file.txt|3000|2024-12-01 00:00"},
		// A time says the last twelve months.
		{"-rw-r--r--   1 ftp      ftp          3000 Dec 24 08:40 x", "file|x|3000|2025-12-24 08:40"},
		{"-rw-r--r--   1 ftp      ftp          3000 Dec  1 08:40 x", "file|x|3000|2026-12-01 08:40"}, // a clock ahead of ours
		{"-rw-r--r--   1 ftp      ftp          3000 Nov 30 08:40  two spaces", "file| two spaces|3000|2026-11-30 08:40"},
		{"lrwxrwxrwx   1 root     root           11 Nov 30 08:40 link -> pub/a b", "link|link|11|2026-11-30 08:40"},
		{"prw-r--r--   1 root     root            0 Nov 30 08:40 pipe", "other|pipe|-1|2026-11-30 08:40"},
		{"crw-rw-rw-   1 root     root       1,   3 Nov 30 08:40 null", "other|null|-1|2026-11-30 08:40"},
		// no group; day before month; ISO dates; access lists
		{"-rw-r--r--   1 ftp          3000 Nov 30 08:40 x", "file|x|3000|2026-11-30 08:40"},
		{"-rw-r--r--+  1 ftp ftp      3000 30 Nov 08:40 x", "file|x|3000|2026-11-30 08:40"},
		{"-rw-r--r--   1 ftp ftp      3000 2026-11-30 08:40 x", "file|x|3000|2026-11-30 08:40"},
		// NetWare
		{"d [R----F--] supervisor            512       Jan 16 18:53    login", "dir|   login|-1|2026-01-16 18:53"},
		// a user whose name looks like a month
		{"-rw-r--r--   1 Nov Dec      3000 Nov 30 08:40 Nov 30 08:40 x", "file|Nov 30 08:40 x|3000|2026-11-30 08:40"},
		// DOS
		{"11-30-26  08:40AM       <DIR>          sub dir", "dir|sub dir|-1|2026-11-30 08:40"},
		{"11-30-2026  08:40PM             3,000 x.txt", "file|x.txt|3000|2026-11-30 20:40"},
		{"11-30-26  20:40                3000 x.txt", "file|x.txt|3000|2026-11-30 20:40"},
		// EPLF, from its own page's examples
		{"+i8388621.48594,m825718503,r,s280,\tdjb.html", "file|djb.html|280|1996-03-01 22:15"},
		{"+i8388621.50690,m824255907,/,\t514", "dir|514|-1|1996-02-13 23:58"},
		// VMS
		{"CORE.DIR;1          1  8-SEP-1996 16:09:23 [SYSTEM] (RWED,RWED,RE,RE)", "dir|CORE|-1|1996-09-08 16:09"},
		{"README.TXT;12   3/4   8-SEP-1996 16:09:23.20", "file|README.TXT|-1|1996-09-08 16:09"},
		// the machine's form, unasked
		{"type=file;size=3; x", "file|x|3|0001-01-01 00:00"},
		{"type=file; ", "file||-1|0001-01-01 00:00"},
		// neither
		{"total 12", ""},
		{"total recall", "other|total recall|-1|0001-01-01 00:00"},
		{"", ""},
		{"   ", ""},
		{"I am in a good mood", "other|I am in a good mood|-1|0001-01-01 00:00"},
		{"-rw-r--r-- 1 ftp ftp -5 Nov 30 08:40 x", "other|-rw-r--r-- 1 ftp ftp -5 Nov 30 08:40 x|-1|0001-01-01 00:00"},
		{"-rw-r--r-- 1 ftp ftp 5 Foo 30 08:40 x", "other|-rw-r--r-- 1 ftp ftp 5 Foo 30 08:40 x|-1|0001-01-01 00:00"},
	} {
		e, ok := parseLIST(tt.line, now)
		got := ""
		if ok {
			got = fmt.Sprintf("%s|%s|%d|%s", e.Type, e.Name, e.Size, e.Time.Format("2006-01-02 15:04"))
		}
		if got != tt.want {
			t.Errorf("%q\n got %q\nwant %q", tt.line, got, tt.want)
		}
	}
	// February 29 without a year, in a year that has none.
	if e, _ := parseLIST("-rw-r--r-- 1 ftp ftp 5 Feb 29 08:40 x", time.Date(2025, 1, 10, 0, 0, 0, 0, time.UTC)); e.Time.Format("2006-01-02") != "2024-02-29" {
		t.Errorf("February 29 is %v", e.Time)
	}
}

func TestPorts(t *testing.T) {
	for _, tt := range []struct {
		text string
		epsv bool
		want uint16 // 0: none
	}{
		// RFC 2428, section 3
		{"Entering Extended Passive Mode (|||6446|)", true, 6446},
		{"ok (!!!6446!)", true, 6446},
		{"(|||65535|)", true, 65535},
		{"(|||65536|)", true, 0},
		{"(|||0|)", true, 0},
		{"(|||", true, 0},
		{"(|||6446)", true, 0},
		{"(|||6446|", true, 0},
		{"(||6446|)", true, 0},
		{"(|1|10.0.0.1|6446|)", true, 0},
		{"6446", true, 0},
		{"(|||-1|)", true, 0},
		{"(666666)", true, 0},
		// RFC 959, section 4.2; RFC 1123, section 4.1.2.6
		{"Entering Passive Mode (127,0,0,1,4,1)", false, 1025},
		{"Entering Passive Mode. 127,0,0,1,4,1", false, 1025},
		{"=127, 0, 0, 1, 4, 1", false, 1025},
		{"(1,2,3)", false, 0},
		{"(1,2,3,4,5,256)", false, 0},
		{"(1,2,3,4,0,0)", false, 0},
		{"(1,2,3,4,5,6,7)", false, 0},
		{"(1,2,3,4,5)", false, 0},
		{"", false, 0},
		{"(a,b,c,d,e,f)", false, 0},
	} {
		read := pasvPort
		if tt.epsv {
			read = epsvPort
		}
		if got, ok := read(tt.text); ok != (tt.want != 0) || ok && got != tt.want {
			t.Errorf("%q: got %d, %v", tt.text, got, ok)
		}
	}
}

func TestSizeIn150(t *testing.T) {
	for text, want := range map[string]int64{
		"Opening BINARY mode data connection for motd (1234 bytes).": 1234,
		"Opening BINARY mode data connection for motd (1234 bytes)":  1234,
		"Opening (1) (0 bytes)": 0,
		"ok":                    -1, "(12 kbytes)": -1, "(x bytes)": -1, "(-1 bytes)": -1,
	} {
		if got := sizeIn150(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// FuzzListing holds that any listing gives entries whose URLs stay in their
// folder, and within the limit.
func FuzzListing(f *testing.F) {
	for _, s := range []string{
		"type=file;size=1; a\r\ntype=dir; ../b\r\n", "drwxr-xr-x 2 0 0 4096 Nov 30 08:40 sub\n", "a\n/b/c\n", "total 3\n",
		"11-30-26  08:40AM <DIR> x\n", "+/,\tx\n", "A.B;1 1 8-SEP-1996 16:09:23\n", "l--------- 1 a b 1 Nov 1 2020 x -> y\n",
	} {
		for c := range byte(3) {
			f.Add(c, s)
		}
	}
	ref, err := ftpurl.Read(anyurl.MustParse("ftp://h.test/pub/"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, command byte, text string) {
		entries, err := parse([]string{"MLSD", "LIST", "NLST"}[command%3], []byte(text), ref, fetch.Limits{MaxEntries: 50})
		if err != nil {
			if strings.Count(text, "\n") < 50 {
				t.Fatal(err)
			}
			return
		}
		for _, e := range entries {
			if e.Name == "" || e.Name == "." || e.Name == ".." {
				t.Errorf("%q is an entry", e.Name)
			}
			if e.URL == "" {
				continue
			}
			u, err := anyurl.Parse(e.URL)
			if err != nil {
				t.Fatalf("%q: %v", e.URL, err)
			}
			if !strings.HasPrefix(u.String(), "ftp://h.test/pub/") {
				t.Errorf("%q leads to %s", e.Name, u)
			}
		}
	})
}
