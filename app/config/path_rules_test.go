package config

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/policy"
)

// linkedHome is a home with a private folder, and links to it and to nothing.
func linkedHome(t *testing.T) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, dir := range []string{"Private/inner", "Documents/Old", "data"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, dir), 0o755))
	}
	for link, target := range map[string]string{
		"Documents/link": home + "/Private", "Documents/relative": "../Private", "Documents/inner": home + "/Private/inner",
		"Documents/nowhere": home + "/Private/new", "Documents/again": "nowhere", "Documents/loop": "loop", "Pictures": "data",
		"Documents/Old/out": home + "/Private",
	} {
		must.Succeed(t, os.Symlink(target, filepath.Join(home, link)))
	}
	return home
}

// TestRulesAboutPaths checks that rules about an argument that is a path are not passed by
// another spelling of it or by links.
func TestRulesAboutPaths(t *testing.T) {
	home := linkedHome(t)
	rules := func(rs ...policy.Rule) *policy.Policy {
		p, err := policy.New(policy.Settings{Rules: rs, RealPath: Paths{Home: home}.realPath})
		must.Succeed(t, err)
		return p
	}
	deny := rules(policy.Rule{Verdict: policy.Deny, Tool: "files.*", Args: map[string]string{"/path": home + "/Private*"}})
	linked := rules(policy.Rule{Verdict: policy.Deny, Tool: "files.*", Args: map[string]string{"/path": home + "/Documents/link/*"}})
	ask := rules(policy.Rule{Verdict: policy.Ask, Tool: "files.*", Args: map[string]string{"/path": "*/Private/*"}})
	allow := rules(policy.Rule{Verdict: policy.Allow, Tool: "files.*", Args: map[string]string{"/path": home + "/Documents/Old/*"}})
	wildcard := rules(policy.Rule{Verdict: policy.Deny, Args: map[string]string{"/path": "~/*/Old"}})
	pictures := rules(policy.Rule{Verdict: policy.Allow, Tool: "files.*", Args: map[string]string{"/path": home + "/Pictures/*"}})
	for _, tt := range []struct {
		name   string
		policy *policy.Policy
		path   string
		rule   bool // whether the rule applies
	}{
		{"as written", deny, "/Private/x", true},
		{"the folder itself", deny, "/Private/", true},
		{"dot segment", deny, "/./Private/x", true},
		{"empty segment", deny, "//Private/x", true},
		{"up and down", deny, "/Documents/../Private/x", true},
		{"of a folder that is not there", deny, "/none/../Private/x", true},
		{"link", deny, "/Documents/link/x", true},
		{"relative link", deny, "/Documents/relative/x", true},
		{"the link itself", deny, "/Documents/link", true},
		{"link further in", deny, "/Documents/inner/x", true},
		{"up from a link", deny, "/Documents/inner/../x", true},
		{"link to a new file", deny, "/Documents/nowhere", true},
		{"link to a link to a new file", deny, "/Documents/again", true},
		{"endless link", deny, "/Documents/loop/x", false},
		{"another folder", deny, "/Documents/Old/x", false},
		{"rule about a link", linked, "/Private/x", true},
		{"rule about a link, as written", linked, "/Documents/link/x", true},
		{"rule about a link, another folder", linked, "/Documents/x", false},
		{"the folder of a rule about its files", linked, "/Private", true},
		{"the folder of a rule about its files, by a link", linked, "/Documents/relative", true},
		{"the folder of a rule about its files, as written", linked, "/Documents/link/", true},
		{"the folder above", linked, "/Documents", false},
		{"allow, the folder itself", allow, "/Documents/Old", false},
		{"ask, by a link", ask, "/Documents/link/x", true},
		{"wildcard right below the home", wildcard, "/Documents/Old", true},
		{"wildcard right below the home, elsewhere", wildcard, "/Documents/New", false},
		{"ask, elsewhere", ask, "/Documents/x", false},
		{"allow", allow, "/Documents/Old/x", true},
		{"allow, dot segment", allow, "/Documents/Old/./x", true},
		{"allow, up again", allow, "/Documents/Old/../x", false},
		{"allow, up and out", allow, "/Documents/Old/../../Private/x", false},
		{"allow, by a link", allow, "/Documents/Old/out/x", false},
		{"allow, the link itself", allow, "/Documents/Old/out", false},
		{"allow below a link", pictures, "/Pictures/x", true},
		{"allow below a link, real path", pictures, "/data/x", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.policy.Decide(policy.Request{
				Kind: policy.KindCall, Tool: "files.delete_file", Class: "write", Effect: "file", Args: map[string]any{"path": home + tt.path},
			})
			if (d.Rule == "rules[0]") != tt.rule {
				t.Errorf("%s: %s by %s", tt.path, d.Verdict, d.Rule)
			}
		})
	}
	call := policy.Request{Kind: policy.KindCall, Tool: "files.delete_file", Class: "write", Effect: "file", Args: map[string]any{"path": "~/Documents/link/x"}}
	if d := deny.Decide(call); d.Verdict != policy.Deny {
		t.Errorf("from home: %s by %s", d.Verdict, d.Rule)
	}
}

// TestConfiguredRulesResolvePaths: the program's own policy resolves links.
func TestConfiguredRulesResolvePaths(t *testing.T) {
	home := linkedHome(t)
	file := filepath.Join(t.TempDir(), "errand.toml")
	text := "[[policy.rules]]\nverdict = \"deny\"\nargs = { \"/path\" = \"" + home + "/Private/*\" }\n"
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	l, err := Load(Options{File: file, Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	d := l.Gate.Decide(policy.Request{
		Kind: policy.KindCall, Tool: "files.create_file", Class: "write", Effect: "file", Args: map[string]any{"path": home + "/Documents/link/x"},
	})
	if d.Verdict != policy.Deny {
		t.Errorf("%s by %s", d.Verdict, d.Rule)
	}
}
