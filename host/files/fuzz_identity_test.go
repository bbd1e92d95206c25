package files

import (
	"strings"
	"testing"
)

// FuzzIdentity: what is read is what is written, and nothing else is taken.
func FuzzIdentity(f *testing.F) {
	f.Add("folder ino=12")
	f.Add("file ino=12 size=5 sha256=" + strings.Repeat("0", 64))
	f.Add("file mtime=-5")
	f.Fuzz(func(t *testing.T, text string) {
		i, err := parseIdentity(text)
		if err != nil {
			return
		}
		again, err := parseIdentity(i.String())
		if err != nil || again != i {
			t.Errorf("%q comes back as %q, %v", text, i, err)
		}
	})
}
