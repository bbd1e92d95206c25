//go:build linux

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
)

// ran is what the tests read of `errand run --json`.
type ran struct {
	Status  string
	DraftID string `json:"draft_id"`
	Steps   []struct {
		Artifacts []struct{ Name, Path string }
		Untrusted json.RawMessage
		Error     struct{ Class, Code, Message string }
	}
	Answer json.RawMessage
}

// TestMCPServersOfOthers uses the reference servers from npm, as testdata/mcp_servers names them: under
// agreement, policy, confinement and the record. It needs node and a registry of packages.
func TestMCPServersOfOthers(t *testing.T) {
	folder := installFromNPM(t, "testdata/mcp_servers")
	p := newMCPProgram(t)
	bin := filepath.Join(folder, "node_modules", ".bin")
	notes := filepath.Join(p.home, "notes")
	must.Succeed(t, os.Mkdir(notes, 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(notes, "a.txt"), []byte("milk"), 0o600))
	private := filepath.Join(p.home, "private")
	must.Succeed(t, os.Mkdir(private, 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(private, "secret.txt"), []byte("secret"), 0o600))
	config := filepath.Join(p.home, "config/errand/errand.toml")
	must.Succeed(t, os.MkdirAll(filepath.Dir(config), 0o700))
	// The server believes that it may use both folders. The kernel lets it use one.
	must.Succeed(t, os.WriteFile(config, fmt.Appendf(nil, `
[mcp.servers.notes]
command = [%q, %q, %q]
folders = [%q]
confine = "require"
[mcp.servers.every]
command = [%q]
[mcp.servers.memory]
command = [%q]
env = ["MEMORY_FILE_PATH"]
`, filepath.Join(bin, "mcp-server-filesystem"), notes, private, notes, filepath.Join(bin, "mcp-server-everything"), filepath.Join(bin, "mcp-server-memory")), 0o600))
	t.Setenv("MEMORY_FILE_PATH", filepath.Join(p.home, "data/errand/mcp/memory/graph.json"))
	call := func(name string, args map[string]any, flags ...string) (r ran) {
		t.Helper()
		cmd := p.command(append([]string{"run", "--json", "--tool", name, "--args", string(must.JSON(t, args))}, flags...)...)
		out, _ := cmd.Output() // the document says how it ended
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return r
	}
	for _, server := range []string{"notes", "every", "memory"} {
		p.run("mcp", "review", server, "--reading", "claimed", "--yes")
	}

	read := call("notes.read_text_file", map[string]any{"path": filepath.Join(notes, "a.txt")})
	if read.Status != "done" || !strings.Contains(string(read.Answer), "milk") || len(read.Steps[0].Untrusted) == 0 {
		t.Errorf("%+v", read)
	}
	outside := call("notes.read_text_file", map[string]any{"path": filepath.Join(private, "secret.txt")})
	if outside.Status != "failed" || !strings.Contains(outside.Steps[0].Error.Message, "EACCES") {
		t.Errorf("it reads outside of its folders: %+v", outside)
	}
	written := filepath.Join(notes, "b.txt")
	write := call("notes.write_file", map[string]any{"path": written, "content": "oats"})
	if _, err := os.Stat(written); write.Status != "needs_approval" || err == nil {
		t.Fatalf("%+v", write)
	}
	p.run("approve", write.DraftID)
	if b, err := os.ReadFile(written); err != nil || string(b) != "oats" {
		t.Errorf("%q, %v", b, err)
	}

	picture := call("every.get-tiny-image", map[string]any{})
	if picture.Status != "done" || len(picture.Steps[0].Artifacts) != 1 || !strings.HasSuffix(picture.Steps[0].Artifacts[0].Name, ".png") {
		t.Errorf("%+v", picture)
	}
	variables := call("every.get-env", map[string]any{})
	if text := string(variables.Answer); variables.Status != "done" || strings.Contains(text, "XDG_CONFIG_HOME") || strings.Contains(text, "MEMORY_FILE_PATH") {
		t.Errorf("%s", text)
	}
	if sum := call("every.get-sum", map[string]any{"a": 2, "b": 40}); sum.Status != "done" || !strings.Contains(string(sum.Answer), "42") {
		t.Errorf("%+v", sum)
	}

	entities := map[string]any{"entities": []any{map[string]any{"name": "Ann", "entityType": "person", "observations": []any{"likes oats"}}}}
	if made := call("memory.create_entities", entities, "--yes"); made.Status != "done" {
		t.Errorf("%+v", made)
	}
	if graph := call("memory.read_graph", map[string]any{}); graph.Status != "done" || !strings.Contains(string(graph.Answer), "likes oats") {
		t.Errorf("%+v", graph)
	}
	if left, err := exec.Command("pgrep", "-f", bin).Output(); err == nil {
		t.Errorf("servers are still running: %s", left)
	}
}
