package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/app/i18n"
	"errand/build/must"
)

// TestASnapshotDecidesAsItsConfiguration: through JSON and back, on a machine
// that knows nothing of the first one, every deciding value is the same.
func TestASnapshotDecidesAsItsConfiguration(t *testing.T) {
	file := write(t, `
[policy]
allowed_domains = ["@catalogue", "*.example.org", "!ads.example.org"]
allow_private = ["127.0.0.1:11434"]
[[policy.rules]]
verdict = "deny"
tool = "files.*"
reason = "not \"on\" Sundays"
until = 2027-01-02T03:04:05Z
[policy.rules.args]
"/path" = "*/x"
[files]
roots = ["~/Documents", "/srv/data"]
[search]
default_platform = "wiki"
[[sites]]
id = "wiki"
home = "https://wiki.example.org/"
search = "https://wiki.example.org/?q={query}"
[browser]
bin = "/opt/chrome"
[plugins.hash]
enabled = true
config = { token = "hunter2hunter2" }
`)
	first, err := Load(Options{File: file, Env: []string{"HOME=/home/ann"}})
	must.Succeed(t, err)
	first.Paths.userDirs = map[string]string{"Documents": "/home/ann/Dokumente"}
	taken, err := Take(first)
	must.Succeed(t, err)
	b := must.JSON(t, taken)
	if strings.Contains(string(b), "hunter2") {
		t.Error("the snapshot holds what a plugin was given")
	}
	var read Snapshot
	must.Succeed(t, json.Unmarshal(b, &read))
	second, err := read.Load()
	must.Succeed(t, err)
	for _, key := range decisionKeys {
		if d := cmp.Diff(valueOf(first.Config, key), valueOf(second.Config, key), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s (-was +is):\n%s", key, d)
		}
	}
	if d := cmp.Diff(first.Roots(), second.Roots()); d != "" || second.Paths.Resolve("~/Documents/x") != "/home/ann/Dokumente/x" {
		t.Errorf("folders (-was +is):\n%s", d)
	}
	if second.Browser.Bin != "" || len(second.Plugins.ByID) > 0 || second.Paths.Data != "" || second.Gate == nil {
		t.Errorf("it knows the first machine: %+v", second.Browser)
	}
	again, err := Take(second)
	if err != nil || cmp.Diff(taken, again) != "" {
		t.Errorf("a snapshot of it is another one: %v\n%s", err, cmp.Diff(taken, again))
	}
}

func TestABadSnapshotIsRefused(t *testing.T) {
	tests := []struct {
		name string
		bad  Snapshot
		want string
	}{
		{"no key of ours", Snapshot{Values: map[string]string{"browser.bin": `"/bin/sh"`}}, "browser.bin: unknown key"},
		{"no TOML", Snapshot{Values: map[string]string{"sites": "["}}, "setting"},
		{"a bad pattern", Snapshot{Values: map[string]string{"policy.allowed_domains": `["*.com"]`}}, "policy.allowed_domains[0]"},
		{"a wrong type", Snapshot{Values: map[string]string{"run.parallel": `"4"`}}, "whole number"},
		{"a folder that is nowhere", Snapshot{Home: "home"}, "not an absolute path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if l, err := tt.bad.Load(); err == nil || l != nil || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("Load = %v, %v; want %q", l, err, tt.want)
			}
		})
	}
	sneaky := Snapshot{Values: map[string]string{"run.parallel": "4\nbrowser.bin = \"/bin/sh\""}}
	if l, err := sneaky.Load(); err != nil || l.Browser.Bin != "" {
		t.Errorf("a literal that spells another key: %v, %v", l, err)
	}
}
