package glob

import "testing"

func TestCutFolder(t *testing.T) {
	for pattern, want := range map[string][2]string{
		"/a/b": {"/a/b", ""}, "/a/*": {"/a", "/*"}, "/a/b*/c": {"/a", "/b*/c"}, "/a/?": {"/a", "/?"},
		`/a/\*`: {"/a", `/\*`}, "*.key": {"", "*.key"}, "/*": {"", "/*"}, "": {"", ""},
	} {
		if folder, rest := CutFolder(pattern); folder != want[0] || rest != want[1] {
			t.Errorf("CutFolder(%q) = %q, %q, want %q, %q", pattern, folder, rest, want[0], want[1])
		}
	}
}
