package transfer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafeName(t *testing.T) {
	long := strings.Repeat("é", 300)
	tests := []struct {
		name, in, want string
	}{
		{"plain", "report.pdf", "report.pdf"},
		{"another script", "отчёт за май.pdf", "отчёт за май.pdf"},
		{"a path", "../../etc/passwd", "_.._etc_passwd"},
		{"a Windows path", `C:\Windows\cmd.exe`, "C__Windows_cmd.exe"},
		{"another stream", "a.txt:evil.exe", "a.txt_evil.exe"},
		{"hidden", ".bashrc", "bashrc"},
		{"only dots", "..", "download"},
		{"nothing", "", "download"},
		{"control characters", "a\x00b\x1b[31m\nc.txt", "ab[31m c.txt"},
		{"turned around", "invoice\u202Efdp.exe", "invoicefdp.exe"},
		{"not to be seen", "a\u200Bb\u2066c\uFEFF.txt", "abc.txt"},
		{"two extensions", "invoice.pdf.exe", "invoice.pdf.exe"},
		{"an extension out of sight", "invoice.pdf" + strings.Repeat(" ", 150) + ".exe", "invoice.pdf .exe"},
		{"ends in what Windows drops", "a.exe. . ", "a.exe"},
		{"a device", "con", "_con"},
		{"a device with extensions", "Aux.tar.gz", "_Aux.tar.gz"},
		{"a port", "COM¹.txt", "_COM¹.txt"},
		{"no device", "console.txt", "console.txt"},
		{"not UTF-8", "a\xffb.txt", "a_b.txt"},
		{"long", long + ".tar.gz", strings.Repeat("é", 96) + ".tar.gz"},
		{"long, all extension", "a." + long, "a." + strings.Repeat("é", 99)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SafeName(tt.in); got != tt.want {
				t.Errorf("safeName(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"a.txt", "..", "con.", "\u202E", strings.Repeat("x", 500) + ".exe", "a/b\\c", ". .con", "x .\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := SafeName(in)
		switch {
		case got == "" || len(got) > maxFileName || !utf8.ValidString(got):
			t.Errorf("%q is empty, too long or no text", got)
		case strings.ContainsAny(got, "/\\:\x00") || strings.Trim(got, ". ") != got || IsDevice(got):
			t.Errorf("%q is a path, hidden or a device", got)
		case SafeName(got) != got:
			t.Errorf("%q becomes %q the second time", got, SafeName(got))
		}
	})
}
