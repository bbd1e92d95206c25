package policy

import (
	"slices"
	"strings"
	"testing"
)

// TestCoveredFolders checks that a call which uses a folder as a whole is decided as if it
// named every path in it that a rule is about.
func TestCoveredFolders(t *testing.T) {
	const private = "/h/Documents/private/*"
	creates, deletes, reads := Cover{Creates: true}, Cover{}, Cover{Follows: true}
	files := []string{"/h/Documents/a.key", "/h/Documents/private", "/h/Documents/private/x", "/h/Documents/Trip", "/h/Documents/Trip/b.pdf", "/h/Documents/Trip/sub"}
	for _, tt := range []struct {
		name    string
		pattern string
		path    string
		cover   Cover
		want    Verdict
	}{
		{"write into the folder above", private, "/h/Documents", creates, Deny},
		{"write into a folder further above", private, "/h", creates, Deny},
		{"write into the root", private, "/", creates, Deny},
		{"spelling", private, "/h/x/..//Documents/", creates, Deny},
		{"the folder itself", private, "/h/Documents/private", creates, Deny},
		{"sibling", private, "/h/Documents/Trip", creates, Ask},
		{"sibling whose name begins alike", private, "/h/Documents/priv", creates, Ask},
		{"delete the folder above", private, "/h/Documents", deletes, Deny},
		{"delete the folder above an exact path", "/h/Documents/private/x", "/h/Documents", deletes, Deny},
		{"delete the folder above a path that doesn't exist", "/h/Documents/gone", "/h/Documents", deletes, Ask},
		{"delete an empty folder", private, "/h/Empty", deletes, Ask},
		{"delete a sibling", private, "/h/Documents/Trip", deletes, Ask},
		{"read the folder above", private, "/h/Documents", reads, Allow + 1},
		{"wildcard in the middle", "/h/*/private", "/h/Documents", deletes, Deny},
		{"wildcard in the middle, nothing matches", "/h/*/private", "/h/Documents/Trip", deletes, Ask},
		{"wildcard in the middle, may be created", "/h/*/private", "/h/Documents/Trip", creates, Deny},
		{"wildcard in the middle, elsewhere", "/h/*/private", "/other", creates, Ask},
		{"extension", "/h/*.key", "/h/Documents", deletes, Deny},
		{"extension, nothing matches", "/h/*.key", "/h/Documents/Trip", deletes, Ask},
		{"no folder in the pattern", "*.key", "/h/Documents", deletes, Deny},
		{"of a link", private, "/h/link", deletes, Deny},
		{"of a link, to write", private, "/h/link", creates, Deny},
		{"rule about a link", "/h/link/private/*", "/h/Documents", deletes, Deny},
		{"folder of a link that is read", private, "/h/Linked", reads, Allow + 1},
		{"folder of a link that is deleted", private, "/h/Linked", deletes, Ask},
		{"too many files, that may match", "/h/*.key", "/h/Huge", deletes, Deny},
		{"too many files, that can't match", private, "/h/Huge", deletes, Ask},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.cover.Path = clean(tt.path)
			call := Request{Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": tt.path}, Covers: []Cover{tt.cover}}
			if tt.want > Allow { // a read that is denied
				call.Class, call.Effect, tt.want = "read", "read", Deny
			}
			for _, verdict := range []Verdict{Deny, Ask, Allow} {
				p := newPolicy(t, Settings{
					Rules:    []Rule{{Verdict: verdict, Reason: "mine", Args: map[string]string{"/path": tt.pattern}}},
					RealPath: func(path string) string { return strings.Replace(path, "/h/link", "/h/Documents", 1) },
					WalkPaths: func(folder string, follow bool, visit func(string) bool) bool {
						if folder == "/h/Linked" && follow && visit("/h/Documents/private") {
							return true
						}
						found := slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, folder+"/") && visit(f) })
						return found || folder != "/h/Huge"
					},
				})
				d := p.Decide(call)
				applies := tt.want == Deny && verdict != Allow
				if (d.Rule == "rules[0]") != applies || applies && d.Verdict != verdict {
					t.Errorf("%s: %s by %s (%s)", verdict, d.Verdict, d.Rule, d.Reason)
				}
				call.Covers = nil // a call that uses the path alone
				if d := p.Decide(call); d.Rule == "rules[0]" && tt.name != "the folder itself" {
					t.Errorf("%s, without the folder's contents: %s by %s", verdict, d.Verdict, d.Rule)
				}
				call.Covers = []Cover{tt.cover}
			}
		})
	}
}

// TestCoveredFoldersWithoutArgument checks rules for a call that may change a whole folder
// which no argument names.
func TestCoveredFoldersWithoutArgument(t *testing.T) {
	for pattern, want := range map[string]Verdict{
		"/h/Documents/private/*": Deny, "/h/*": Deny, "/h/Documents": Deny, "/h/*/private": Deny, "*/private": Deny,
		"/h/Music/*": Ask, "/h/Music": Ask, "*secret*": Ask, "x": Ask,
	} {
		p := newPolicy(t, Settings{Rules: []Rule{{Verdict: Deny, Args: map[string]string{"/path": pattern}}}})
		for _, args := range []map[string]any{{}, {"path": "/h/other"}} {
			call := Request{
				Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: args,
				Covers: []Cover{{Path: "/h/Documents", Unnamed: true, Creates: true}},
			}
			if d := p.Decide(call); d.Verdict != want {
				t.Errorf("%s with %v: %s by %s (%s)", pattern, args, d.Verdict, d.Rule, d.Reason)
			}
		}
	}
}

// TestCoveredFolderReason checks that decision and explanation say why the rule applies.
func TestCoveredFolderReason(t *testing.T) {
	p := newPolicy(t, Settings{
		Rules: []Rule{
			{Verdict: Ask, Tool: "other", Args: map[string]string{"/path": "/h/a"}},
			{Verdict: Deny, Reason: "mine", Args: map[string]string{"/path": "/h/private/*"}},
		},
		WalkPaths: func(_ string, _ bool, visit func(string) bool) bool { visit("/h/private/x"); return true },
	})
	call := Request{Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": "/h"}, Covers: []Cover{{Path: "/h"}}}
	d, steps := p.Explain(call)
	want := map[string]any{"folder": "/h", "path": "/h/private/x"}
	for name, value := range want {
		if d.Rule != "rules[1]" || d.Reason.Code != "policy.rule_below" || d.Reason.Params[name] != value {
			t.Errorf("%s: %s by %s, %s %v", name, d.Verdict, d.Rule, d.Reason.Code, d.Reason.Params)
		}
	}
	if last := steps[len(steps)-1]; last.Name != "rules" || last.Reason.Code != "policy.rule_below" {
		t.Errorf("steps %+v", steps)
	}
}

func clean(path string) string {
	p := parseArguments(map[string]string{"/x": path})
	return p[0].clean
}

// TestNewPaths checks that a call is decided by the paths that it will make: copies under
// the names of their source, and files whose name is another argument or isn't known.
func TestNewPaths(t *testing.T) {
	files := []string{"/h/in/Trip", "/h/in/Trip/a.pdf", "/h/in/Trip/sub", "/h/in/Trip/sub/b.key", "/h/in/Plain", "/h/in/Plain/a.pdf", "/h/out/old.key"}
	copies := func(from, to string) Cover { return Cover{Path: to, Creates: true, Copies: from} }
	entry := func(path string) Cover { return Cover{Path: path, Entry: true, Pointer: "/path"} }
	file := func(path string) Cover { return Cover{Path: path, Pointer: "/path"} }
	for _, tt := range []struct {
		name, pattern string
		cover         Cover
		path          string // in the reason; "": the rule doesn't apply
	}{
		{"copy of a file", "/h/out/*.key", copies("/h/in/a.txt", "/h/out/a.txt"), ""},
		{"copy of a folder with a match", "/h/out/*.key", copies("/h/in/Trip", "/h/out/Trip"), "/h/out/Trip/sub/b.key"},
		{"copy of a folder under another name", "/h/out/New/sub/b.key", copies("/h/in/Trip", "/h/out/New"), "/h/out/New/sub/b.key"},
		{"copy of a folder without a match", "/h/out/*.key", copies("/h/in/Plain", "/h/out/Plain"), ""},
		{"copy of a folder, rule about the source", "/h/in/Trip/sub/*", copies("/h/in/Trip", "/h/out/Trip"), ""},
		{"copy of a folder, rule about another folder", "/h/other/*.key", copies("/h/in/Trip", "/h/out/Trip"), ""},
		{"copy through a link", "/h/out/*.key", copies("/h/link/Trip", "/h/out/Trip"), "/h/out/Trip/sub/b.key"},
		{"copy into a link", "/h/in/*.key", copies("/h/in/Trip", "/h/link/Copy"), "/h/link/Copy/sub/b.key"},
		{"copy of too much", "/h/out/*.key", copies("/h/in/Huge", "/h/out/Huge"), "/h/out/*.key"},

		{"named file", "/h/out/*.key", file("/h/out/new.key"), "/h/out/new.key"},
		{"named file, no folder in the pattern", "*.key", file("/h/out/new.key"), "/h/out/new.key"},
		{"named file through a link", "/h/in/*.key", file("/h/link/new.key"), "/h/link/new.key"},
		{"named file of another type", "/h/out/*.key", file("/h/out/new.pdf"), ""},

		{"unknown name", "/h/out/*.key", entry("/h/out"), "/h/out/*.key"},
		{"unknown name, whole folder", "/h/out/*", entry("/h/out"), "/h/out/*"},
		{"unknown name, no folder in the pattern", "*.key", entry("/h/out"), "*.key"},
		{"unknown name through a link", "/h/in/*.key", entry("/h/link"), "/h/in/*.key"},
		{"unknown name, rule about a folder in it", "/h/out/private/*", entry("/h/out"), ""},
		{"unknown name, rule about a sibling", "/h/in/*.key", entry("/h/out"), ""},
		{"unknown name, rule about a folder above", "/h/*.key", entry("/h/out"), "/h/*.key"},
	} {
		for _, pointer := range []string{"/path", "/other"} {
			p := newPolicy(t, Settings{
				Rules:    []Rule{{Verdict: Deny, Reason: "mine", Args: map[string]string{pointer: tt.pattern}}},
				RealPath: func(path string) string { return strings.Replace(path, "/h/link", "/h/in", 1) },
				WalkPaths: func(folder string, _ bool, visit func(string) bool) bool {
					return slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, folder+"/") && visit(f) }) || folder != "/h/in/Huge"
				},
			})
			call := Request{Kind: KindCall, Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{}, Covers: []Cover{tt.cover}}
			if tt.cover.Pointer == "" {
				call.Args["path"] = tt.cover.Path
			}
			want := tt.path
			if pointer != "/path" {
				want = ""
			}
			d := p.Decide(call)
			if got, _ := d.Reason.Params["path"].(string); got != want || (d.Verdict == Deny) != (want != "") {
				t.Errorf("%s, rule about %s: %s about %q, want %q", tt.name, pointer, d.Verdict, got, want)
			}
		}
	}
}
