package policy

import (
	"strings"
	"testing"
)

// TestRulesOnLists checks that a rule about an argument holds for every item of a list, as for
// a single path: with links resolved, cleaned, and with what is in a folder. A rule that allows
// needs all items.
func TestRulesOnLists(t *testing.T) {
	const private = "/h/Work/private/*"
	type list = []any
	for _, tt := range []struct {
		name, pattern string
		value         any
		some, all     bool // a rule that denies or asks applies, one that allows
	}{
		{"only item", private, list{"/h/Work/private/s"}, true, true},
		{"first item", private, list{"/h/Work/private/s", "/h/x"}, true, false},
		{"second item", private, list{"/h/x", "/h/Work/private/s"}, true, false},
		{"all items", private, list{"/h/Work/private/s", "/h/Work/private/t"}, true, true},
		{"no item", private, list{"/h/x", "/h/Work/private.txt"}, false, false},
		{"through a link", private, list{"/h/x", "/h/lnk/s"}, true, false},
		{"through a place", private, list{"/h/x", "/h/placed"}, true, false},
		{"dot segment", private, list{"/h/x", "/h/Work/./private/s"}, true, false},
		{"empty segment", private, list{"/h/x", "/h/Work//private/s"}, true, false},
		{"parent segment", private, list{"/h/x", "/h/Work/y/../private/s"}, true, false},
		{"out of the folder", private, list{"/h/Work/private/../s"}, true, false}, // as for a single path
		{"the folder itself", private, list{"/h/x", "/h/Work/private"}, true, false},
		{"what a folder has in it", private, list{"/h/x", "/h/Work"}, true, false},
		{"list in a list", private, list{list{"/h/x"}, list{"/h/lnk/s"}}, true, false},
		{"list of texts", private, []string{"/h/x", "/h/lnk/s"}, true, false},
		{"words", "secret*", list{"a", "secret 1"}, true, false},
		{"all words", "secret*", list{"secret 2", "secret 1"}, true, true},
		{"numbers", "7", list{1.0, 7.0}, true, false},
		{"exactly the list", `["a","b"]`, list{"a", "b"}, true, true},
		{"exactly the list, escaped", `["a\*","b"]`, list{"a*", "b"}, true, true},
		{"another list", `["a","b"]`, list{"a", "c"}, false, false},
		{"text of the list", "*/h/Work/*", list{"/h/Work/x", "/etc/passwd"}, true, false},
		{"empty list, anything", "*", list{}, true, true},
		{"empty list", private, list{}, false, false},
		{"single path", private, "/h/lnk/s", true, false},
	} {
		for _, verdict := range []Verdict{Deny, Ask, Allow} {
			p := newPolicy(t, Settings{
				Rules:    []Rule{{Verdict: verdict, Args: map[string]string{"/paths": tt.pattern}}},
				RealPath: func(path string) string { return strings.Replace(path, "/h/lnk", "/h/Work/private", 1) },
				WalkPaths: func(_ string, _ bool, visit func(string) bool) bool {
					visit("/h/Work/private")
					return true
				},
			})
			call := Request{
				Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"paths": tt.value},
				Places: map[string][]string{"/h/placed": {"/h/Work/private/p", "/h/placed"}}, Covers: []Cover{{Path: "/h/Work"}},
			}
			want := tt.some
			if verdict == Allow {
				want = tt.all
			}
			if d := p.Decide(call); (d.Rule == "rules[0]") != want || want && d.Verdict != verdict {
				t.Errorf("%s, %s: %s by %s (%s)", tt.name, verdict, d.Verdict, d.Rule, d.Reason)
			}
		}
	}
}
