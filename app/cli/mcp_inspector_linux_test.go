//go:build linux

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/tier"
)

// TestMCPInspector drives the server with a client of others: the protocol's inspector, from npm, as
// testdata/inspector names it. It needs node and a registry of packages.
func TestMCPInspector(t *testing.T) {
	client := installFromNPM(t, "testdata/inspector")
	p := newMCPProgram(t)
	ask := func(into any, args ...string) {
		t.Helper()
		all := []string{
			filepath.Join(client, "node_modules", ".bin", "mcp-inspector"), "--cli",
			"-e", "ERRAND_AS_PROGRAM=1", "-e", "XDG_CACHE_HOME=" + cache, "-e", "HOME=" + p.home, "-e", "XDG_DATA_HOME=" + p.home + "/data", "-e", "XDG_CONFIG_HOME=" + p.home + "/config",
			os.Args[0], "mcp",
		}
		cmd := exec.CommandContext(t.Context(), "node", append(all, args...)...)
		cmd.Dir = client
		out, err := cmd.Output()
		if err != nil || json.Unmarshal(out, into) != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	var listed struct {
		Tools []struct{ Name, Title string }
	}
	ask(&listed, "--method", "tools/list")
	if len(listed.Tools) < 40 {
		t.Errorf("%d tools", len(listed.Tools))
	}
	var called struct {
		IsError           bool
		StructuredContent mcpResult
	}
	ask(&called, "--method", "tools/call", "--tool-name", "hash_md5", "--tool-arg", "input=abc")
	if called.IsError || called.StructuredContent.Payload["hash"] != "900150983cd24fb0d6963f7d28e17f72" {
		t.Errorf("%+v", called)
	}
	folder := filepath.Join(p.home, "Documents", "Trip")
	ask(&called, "--method", "tools/call", "--tool-name", "files_create_folder", "--tool-arg", "path="+folder)
	if !called.IsError || called.StructuredContent.Draft.ID == "" {
		t.Fatalf("%+v", called)
	}
	p.run("approve", called.StructuredContent.Draft.ID)
	var shown struct{ StructuredContent struct{ Status string } }
	ask(&shown, "--method", "tools/call", "--tool-name", "errand_show", "--tool-arg", "draft_id="+called.StructuredContent.Draft.ID)
	if _, err := os.Stat(folder); err != nil || shown.StructuredContent.Status != "done" {
		t.Errorf("%v, %+v", err, shown)
	}
}

// installFromNPM installs the packages that a folder of testdata pins, and returns the folder of the
// installation. Only the long tier does so: it needs node and a registry of packages.
func installFromNPM(t *testing.T, packages string) string {
	t.Helper()
	if !tier.IsLong() {
		t.Skip("installs packages from npm")
	}
	folder := t.TempDir()
	must.Succeed(t, os.CopyFS(folder, os.DirFS(packages)))
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir, install.WaitDelay = folder, time.Minute
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return folder
}
