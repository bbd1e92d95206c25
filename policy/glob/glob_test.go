package glob

import "testing"

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "x", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"hash.*", "hash.md5", true},
		{"hash.*", "hash", false},
		{"a*b*c", "aXXbYYc", true},
		{"a*b*c", "aXXcYYb", false},
		{"*.open", "browser.open", true},
		{"?", "é", true},
		{"?", "", false},
		{`\*`, "*", true},
		{`\*`, "x", false},
		{"a**b", "ab", true},
		{"*a", "aaa", true},
		{"Chrome", "chrome", false},
	} {
		if got := Match(tt.pattern, tt.s); got != tt.want {
			t.Errorf("Match(%q, %q) = %v", tt.pattern, tt.s, got)
		}
	}
}

// TestMayBegin checks which patterns may match a text that begins in a certain way.
func TestMayBegin(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"/a/b/*", "/a/", true},
		{"/a/b", "/a/", true},
		{"/a/b", "/a/b/", false},
		{"/a/*", "/a/b/c/", true},
		{"/a/b/*", "/a/c/", false},
		{"/a/b/*", "/a/bc/", false},
		{"/h/*/private", "/h/x/", true},
		{"/h/*/private", "/other/", false},
		{"*.key", "/h/", true},
		{"/h/?/x", "/h/é/", true},
		{"/h/?/x", "/h/ab/", false},
		{`/h/\*/x`, "/h/*/", true},
		{`/h/\*/x`, "/h/a/", false},
		{"/h/**x", "/h/a/", true},
		{"/h/\xff/x", "/h/\xff/", true},
		{"/h/?/x", "/h/\xff/", true},
		{`/h/\`, "/h/a/", false},
		{"", "/", false},
	} {
		if got := MayBegin(tt.pattern, tt.s); got != tt.want {
			t.Errorf("MayBegin(%q, %q) = %t", tt.pattern, tt.s, got)
		}
	}
}
