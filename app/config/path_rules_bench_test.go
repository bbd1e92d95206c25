package config

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/realpath"
	"errand/policy"
	"errand/policy/folder"
)

// BenchmarkExplainFolder explains a call that reads a folder of 5,000 files, under a rule
// with a wildcard, and finds the change that gives it another verdict.
func BenchmarkExplainFolder(b *testing.B) {
	home := b.TempDir()
	big := filepath.Join(home, "Documents", "big")
	must.Succeed(b, os.MkdirAll(big, 0o700))
	for i := range 5000 {
		must.Succeed(b, os.WriteFile(filepath.Join(big, fmt.Sprintf("%d.txt", i)), nil, 0o600))
	}
	p, err := policy.New(policy.Settings{
		Rules:    []policy.Rule{{Verdict: policy.Deny, Tool: "files.*", Args: map[string]string{"/path": "~/Documents/*.key"}}},
		RealPath: Paths{Home: home}.realPath, WalkPaths: realpath.Walk,
	})
	must.Succeed(b, err)
	b.ReportAllocs()
	for b.Loop() {
		r := policy.Request{
			Kind: policy.KindCall, Tool: "files.find", Class: "read", Effect: "read", Args: map[string]any{"path": big},
			Covers: []policy.Cover{{Path: big, Follows: true}}, Folders: new(folder.Memory),
		}
		p.Explain(r)
		p.Change(r)
	}
}
