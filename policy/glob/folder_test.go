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

func TestMatchesEntry(t *testing.T) {
	for _, tt := range []struct {
		pattern, folder string
		want            bool
	}{
		{"/a/*.key", "/a", true},
		{"/a/*.key", "/a/b", true},
		{"/a/*.key", "/", false},
		{"/a/b.key", "/a", true},
		{"/a/b.key", "/a/b.key", false},
		{"/a/b.key", "/b", false},
		{"/a/?", "/a", true},
		{"/a?b", "/a", true},
		{"/a?", "/a", false},
		{"/a/b/*", "/a", false},
		{"/a/b/*", "/a/b", true},
		{"/a/*/c", "/a/b", true},
		{"/a/*/c", "/a", false},
		{"/a/*/c/d", "/a/b", false},
		{"/b/*", "/a", false},
		{"/*", "/", true},
		{"*.key", "/a", true},
		{"*", "/a", true},
		{"*/private/*", "/a/private", true},
		{"*/private/*", "/a", false},
		{`/a/\*`, "/a", true},
		{`/a\*`, "/a", false},
		{`/a/\*/c`, "/a/*", true},
		{`/a/\*/c`, "/a/b", false},
		{"/a/", "/a", false},
		{"/a", "/a", false},
		{"", "/", false},
	} {
		if got := MatchesEntry(tt.pattern, tt.folder); got != tt.want {
			t.Errorf("MatchesEntry(%q, %q) = %t", tt.pattern, tt.folder, got)
		}
	}
}
