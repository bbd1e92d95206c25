//go:build linux

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/policy"
)

// TestRulesAboutMounts checks that a rule about a folder in errand.toml also decides about the
// paths at which the folder, a part of it or one of its files is mounted.
func TestRulesAboutMounts(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	at := func(rel string) string { return filepath.Join(home, rel) }
	for _, folder := range []string{"Documents/private/sub", "Documents/alias", "Documents/part", "Documents/over/private", "Documents/other", ".config/errand"} {
		must.Succeed(t, os.MkdirAll(at(folder), 0o700))
	}
	for _, file := range []string{"Documents/private/s.txt", "Documents/private/sub/d.txt", "Documents/al.txt", "Documents/a.txt"} {
		must.Succeed(t, os.WriteFile(at(file), nil, 0o600))
	}
	for _, m := range [][2]string{{"private", "alias"}, {"private/sub", "part"}, {"private/s.txt", "al.txt"}} {
		point := at("Documents/" + m[1])
		if err := syscall.Mount(at("Documents/"+m[0]), point, "", syscall.MS_BIND, ""); err != nil {
			t.Skipf("mounting is not permitted: %v", err)
		}
		t.Cleanup(func() { syscall.Unmount(point, syscall.MNT_DETACH) })
	}
	must.Succeed(t, os.WriteFile(at(".config/errand/errand.toml"), fmt.Appendf(nil, "[[policy.rules]]\nverdict = \"deny\"\nargs = { \"/path\" = %q }\n", "~/Documents/private/*"), 0o600))
	l, err := Load(Options{Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	for path, want := range map[string]policy.Verdict{
		"private/s.txt":  policy.Deny,
		"alias/s.txt":    policy.Deny,
		"alias/new.txt":  policy.Deny,
		"alias":          policy.Deny,
		"al.txt":         policy.Deny,
		"part/d.txt":     policy.Deny,
		"part/../a.txt":  policy.Allow,
		"a.txt":          policy.Allow,
		"over/private/x": policy.Allow,
		"other/x":        policy.Allow,
	} {
		r := policy.Request{Kind: policy.KindCall, Origin: "user_goal", Tool: "files.append", Class: "write", Effect: "file", Args: map[string]any{"path": home + "/Documents/" + path}}
		if d := l.Gate.Decide(r); d.Verdict != want {
			t.Errorf("%s: %s by %s, want %s", path, d.Verdict, d.Rule, want)
		}
	}
}
