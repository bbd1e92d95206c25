package policy

import (
	"strings"
	"testing"

	"errand/policy/folder"
)

// fakeMounts are paths at which other folders or files are mounted.
type fakeMounts map[string]string

func (m fakeMounts) Others(path string) (out []string) {
	for point, source := range m {
		for _, pair := range [][2]string{{point, source}, {source, point}} {
			if rest, ok := strings.CutPrefix(path, pair[0]); ok && (rest == "" || rest[0] == '/') {
				out = append(out, pair[1]+rest)
			}
		}
	}
	return out
}

func (m fakeMounts) Below(path string) (out []string) {
	for point := range m {
		if point == path || strings.HasPrefix(point, path+"/") {
			out = append(out, point)
		}
	}
	return out
}

// TestOtherPaths checks that a rule about a path also decides about the other paths of the
// same file, where a folder or file is mounted: those that a call names and those in a folder
// that it uses as a whole.
func TestOtherPaths(t *testing.T) {
	mounts := fakeMounts{
		"/h/docs/alias": "/h/private", "/h/docs/al.txt": "/h/private/s.txt",
		"/h/docs/deep/m": "/h/private/sub", "/h/secret": "/srv/secret", "/h/music/m": "/srv/music",
	}
	walk := func(folder string, follow bool, visit func(string) bool) bool {
		all := []string{"/h/docs/a", "/h/docs/alias/s.txt", "/h/docs/deep/m/d.txt", "/h/private/s.txt", "/h/private/sub/d.txt", "/srv/secret/x", "/h/secret/x"}
		if follow {
			for _, p := range all {
				if folder == "/h/links" && strings.HasPrefix(p, "/h/docs/deep/m/") && visit(p) {
					return true
				}
			}
		}
		for _, p := range all {
			if strings.HasPrefix(p, folder+"/") && visit(p) {
				return true
			}
		}
		return true
	}
	rule := func(v Verdict, pattern string) Rule {
		return Rule{Verdict: v, Args: map[string]string{"/path": pattern}}
	}
	private := rule(Deny, "/h/private/*")
	cover := func(c Cover) []Cover { return []Cover{c} }
	for _, tt := range []struct {
		name   string
		rule   Rule
		path   any
		covers []Cover
		want   Verdict
	}{
		{"a file of a mounted folder", private, "/h/docs/alias/s.txt", nil, Deny},
		{"a new file of a mounted folder", private, "/h/docs/alias/new/x.txt", nil, Deny},
		{"the mounted folder", private, "/h/docs/alias", nil, Deny},
		{"a mounted file", private, "/h/docs/al.txt", nil, Deny},
		{"a part of the folder, mounted", private, "/h/docs/deep/m/d.txt", nil, Deny},
		{"a rule that asks", rule(Ask, "/h/private/*"), "/h/docs/alias/s.txt", nil, Ask},
		{"the source of a mount", rule(Deny, "/h/secret/*"), "/srv/secret/x", nil, Deny},
		{"a rule about the mount", rule(Deny, "/h/docs/alias/*"), "/h/private/s.txt", nil, Deny},
		{"a rule about the mounted file", rule(Deny, "/h/docs/al.txt"), "/h/private/s.txt", nil, Deny},
		{"a wildcard before the folder", rule(Deny, "*/private/*"), "/h/docs/alias/s.txt", nil, Deny},
		{"a list", private, []any{"/h/docs/a", "/h/docs/alias/s.txt"}, nil, Deny},
		{"dots in the path", private, "/h/docs/./x/../alias/s.txt", nil, Deny},
		{"beside the mount", private, "/h/docs/alias2/s.txt", nil, Allow},
		{"above the mount", private, "/h/docs", nil, Allow},
		{"another mount", private, "/h/music/m/x", nil, Allow},
		{"another file of the folder", rule(Deny, "/h/private/t.txt"), "/h/docs/alias/s.txt", nil, Allow},
		{"a folder with the mount", private, "/h/docs", cover(Cover{Path: "/h/docs"}), Deny},
		{"a folder with a part of it", rule(Deny, "/h/private/sub/*"), "/h/docs/deep", cover(Cover{Path: "/h/docs/deep"}), Deny},
		{"a folder in which anything may be created", rule(Deny, "/h/private/sub/new/*"), "/h/docs/deep", cover(Cover{Path: "/h/docs/deep", Creates: true}), Deny},
		{"one new file beside the mount", private, "/h/docs", cover(Cover{Path: "/h/docs", Entry: true}), Allow},
		{"one new file in the mount", rule(Deny, "/h/private/sub/?*"), "/h/docs/deep/m", cover(Cover{Path: "/h/docs/deep/m", Entry: true}), Deny},
		{"the source of a mount as a whole", rule(Deny, "/h/secret/*"), "/srv/secret", cover(Cover{Path: "/srv/secret"}), Deny},
		{"the folder above the source of a mount", rule(Deny, "/h/secret/*"), "/srv", cover(Cover{Path: "/srv"}), Deny},
		{"a link to a mount", private, "/h/links", cover(Cover{Path: "/h/links", Follows: true}), Deny},
		{"a folder without a mount", private, "/h/music", cover(Cover{Path: "/h/music"}), Allow},
		{"a folder that no argument names", private, "/h/x", cover(Cover{Path: "/h/docs", Unnamed: true}), Deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, memory := range []*folder.Memory{nil, new(folder.Memory)} {
				p := newPolicy(t, Settings{
					UserGoalTools: []string{"*"}, Rules: []Rule{tt.rule}, WalkPaths: walk,
					RealPath: func(path string) string { return path }, Mounts: func() folder.Mounts { return mounts },
				})
				r := Request{Kind: KindCall, Origin: "user_goal", Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": tt.path}, Covers: tt.covers, Folders: memory}
				if d, _ := p.Explain(r); d.Verdict != tt.want {
					t.Errorf("%s by %s (%s), want %s", d.Verdict, d.Rule, d.Reason, tt.want)
				}
			}
		})
	}
	for _, path := range []string{"/h/docs/alias/s.txt", "/h/private/s.txt"} {
		p := newPolicy(t, Settings{Rules: []Rule{rule(Allow, "/h/docs/alias/*")}, Mounts: func() folder.Mounts { return mounts }})
		r := Request{Kind: KindCall, Origin: "user_goal", Tool: "x.y", Class: "write", Effect: "file", Args: map[string]any{"path": path}}
		want := Allow
		if path == "/h/private/s.txt" {
			want = Ask
		}
		if d := p.Decide(r); d.Verdict != want {
			t.Errorf("a rule that allows a mount, for %s: %s, want %s", path, d.Verdict, want)
		}
	}
}
