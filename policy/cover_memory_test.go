package policy

import (
	"slices"
	"testing"

	"errand/policy/folder"
)

// TestFoldersReadOnce checks that one question reads each folder once, however often rules
// ask about it, and that its answers are those of a question that keeps nothing.
func TestFoldersReadOnce(t *testing.T) {
	names := []string{"/h/a/1", "/h/a/2.key", "/h/a/3", "/h/a/4.pem"}
	rule := func(v Verdict, pattern string) Rule {
		return Rule{Verdict: v, Args: map[string]string{"/path": pattern}}
	}
	for _, tt := range []struct {
		name   string
		rules  []Rule
		covers []Cover
		all    bool // whether all of a folder can be read
		walks  int  // at most
	}{
		{"no rule matches", []Rule{rule(Deny, "/h/*.zip"), rule(Ask, "/h/*.rar"), rule(Deny, "/*.gz")}, []Cover{{Path: "/h/a"}}, true, 1},
		{"the first rule matches", []Rule{rule(Deny, "/h/*.key"), rule(Ask, "/h/*.key")}, []Cover{{Path: "/h/a"}}, true, 1},
		{"a later rule matches a later file", []Rule{rule(Ask, "/h/*.key"), rule(Deny, "/h/*.pem")}, []Cover{{Path: "/h/a"}}, true, 2},
		{"a later rule matches an earlier file", []Rule{rule(Ask, "/h/*.pem"), rule(Deny, "/h/*.key")}, []Cover{{Path: "/h/a"}}, true, 1},
		{"links count apart", []Rule{rule(Deny, "/h/*.zip")}, []Cover{{Path: "/h/a"}, {Path: "/h/a", Follows: true}}, true, 2},
		{"too many files", []Rule{rule(Ask, "/h/*.zip"), rule(Deny, "/h/*.rar")}, []Cover{{Path: "/h/a"}}, false, 1},
		{"nothing may match", []Rule{rule(Deny, "/g/*")}, []Cover{{Path: "/h/a"}}, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			walks := 0
			p := newPolicy(t, Settings{Rules: tt.rules, WalkPaths: func(_ string, _ bool, visit func(string) bool) bool {
				walks++
				return slices.ContainsFunc(names, visit) || tt.all
			}})
			r := Request{Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": "/h/a"}, Covers: tt.covers}
			want, steps := p.Explain(r)
			change, _ := p.Change(r)
			r.Folders, walks = new(folder.Memory), 0
			d, again := p.Explain(r)
			c, _ := p.Change(r)
			if walks > tt.walks {
				t.Errorf("%d walks, want at most %d", walks, tt.walks)
			}
			if d.Rule != want.Rule || d.Verdict != want.Verdict || d.Reason.String() != want.Reason.String() || len(again) != len(steps) || c.Verdict != change.Verdict {
				t.Errorf("it decides %s by %s (%s), without memory %s by %s (%s)", d.Verdict, d.Rule, d.Reason, want.Verdict, want.Rule, want.Reason)
			}
			if again := p.Decide(Request{Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: r.Args, Covers: tt.covers}); again.Rule != want.Rule {
				t.Errorf("another question is decided by %s, want %s", again.Rule, want.Rule)
			}
		})
	}
}
