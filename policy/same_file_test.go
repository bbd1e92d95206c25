package policy

import (
	"strings"
	"testing"

	"errand/policy/folder"
)

// TestHardLinks checks that a rule about a file also decides about the file's other names,
// those that a call names and those in a folder that it uses as a whole.
func TestHardLinks(t *testing.T) {
	// Below a folder: paths, and the id of each that has several names.
	files := map[string]string{
		"/h/private/keys.txt": "1:7", "/h/private/sub/deep.txt": "1:8", "/h/private/lone.txt": "", "/h/private/other-disk": "2:9",
		"/h/public/notes.txt": "1:7", "/h/public/deep.txt": "1:8", "/h/public/copy.txt": "1:9", "/h/public/own.txt": "", "/h/public/link.txt": "1:7",
	}
	walk := func(folder string, _ bool, visit func(string) bool) bool {
		for _, p := range []string{"/h/private/keys.txt", "/h/private/sub/deep.txt", "/h/private/lone.txt", "/h/private/other-disk", "/h/public/notes.txt", "/h/public/own.txt"} {
			if strings.HasPrefix(p, folder+"/") && visit(p) {
				return true
			}
		}
		return true
	}
	deny := func(v Verdict, pattern string) Rule {
		return Rule{Verdict: v, Args: map[string]string{"/path": pattern}}
	}
	public := []Cover{{Path: "/h/public"}}
	for _, tt := range []struct {
		name   string
		rule   Rule
		path   any
		covers []Cover
		want   Verdict
	}{
		{"another name of a denied file", deny(Deny, "/h/private/*"), "/h/public/notes.txt", nil, Deny},
		{"a rule that asks", deny(Ask, "/h/private/*"), "/h/public/notes.txt", nil, Ask},
		{"the rule names the file", deny(Deny, "/h/private/keys.txt"), "/h/public/notes.txt", nil, Deny},
		{"further down", deny(Deny, "/h/private/*"), "/h/public/deep.txt", nil, Deny},
		{"the pattern has another file", deny(Deny, "/h/private/sub/*"), "/h/public/notes.txt", nil, Allow},
		{"the pattern has another ending", deny(Deny, "/h/private/*.key"), "/h/public/notes.txt", nil, Allow},
		{"the number on another disk", deny(Deny, "/h/private/*"), "/h/public/copy.txt", nil, Allow},
		{"a file with one name", deny(Deny, "/h/private/*"), "/h/public/own.txt", nil, Allow},
		{"a list", deny(Deny, "/h/private/*"), []any{"/h/public/own.txt", "/h/public/notes.txt"}, nil, Deny},
		{"dots in the path", deny(Deny, "/h/private/*"), "/h/public/./x/../notes.txt", nil, Deny},
		{"through a link", deny(Deny, "/h/private/*"), "/s/notes.txt", nil, Deny},
		{"a folder with such a file", deny(Deny, "/h/private/*"), "/h/public", public, Deny},
		{"a folder where anything may be created", deny(Deny, "/h/private/*"), "/h/public", []Cover{{Path: "/h/public", Creates: true}}, Deny},
		{"a folder that no argument names", deny(Deny, "/h/private/*"), "/h/x", []Cover{{Path: "/h/public", Unnamed: true}}, Deny},
		{"a copy of such a file", deny(Deny, "/h/private/*"), "/h/x", []Cover{{Path: "/h/x", Copies: "/h/public/notes.txt"}}, Deny},
		{"one new file in the folder", deny(Deny, "/h/private/*"), "/h/public", []Cover{{Path: "/h/public", Entry: true}}, Allow},
		{"no such file in the denied folder", deny(Deny, "/h/private/sub/x/*"), "/h/public", public, Allow},
		{"a pattern without a folder", deny(Deny, "*.pem"), "/h/public/notes.txt", nil, Allow},
		{"a text that is not a path", deny(Deny, "/h/private/*"), "notes.txt", nil, Allow},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, memory := range []*folder.Memory{nil, new(folder.Memory)} {
				p := newPolicy(t, Settings{
					UserGoalTools: []string{"*"}, Rules: []Rule{tt.rule}, WalkPaths: walk, FileID: func(path string) string { return files[path] },
					RealPath: func(path string) string { return strings.Replace(path, "/s/", "/h/public/", 1) },
				})
				r := Request{Kind: KindCall, Origin: "user_goal", Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": tt.path}, Covers: tt.covers, Folders: memory}
				d, _ := p.Explain(r)
				if d.Verdict != tt.want {
					t.Errorf("%s by %s (%s), want %s", d.Verdict, d.Rule, d.Reason, tt.want)
				}
				if named := strings.Contains(d.Reason.String(), "rule_same_file"); named != (tt.want != Allow) {
					t.Errorf("the reason is %s", d.Reason)
				}
			}
		})
	}
	allow := newPolicy(t, Settings{Rules: []Rule{deny(Allow, "/h/private/*")}, WalkPaths: walk, FileID: func(path string) string { return files[path] }})
	r := Request{Kind: KindCall, Origin: "user_goal", Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": "/h/public/notes.txt"}}
	if d := allow.Decide(r); d.Verdict != Ask {
		t.Errorf("a rule that allows a file allows its other name: %s", d.Verdict)
	}
}
