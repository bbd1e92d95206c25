package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/grants"
	"errand/app/plugins"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// TestARealPluginsFetch: a plugin that an Extism PDK made fetches a page. It is
// decided for its own tool, plugin, run and call, and a grant for another plugin
// or another call is none.
func TestARealPluginsFetch(t *testing.T) {
	const host = "jsonplaceholder.typicode.com" // which the plugin wants; the demo stands for it
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	must.Succeed(t, err)
	module := must.ReadFile(t, filepath.Join(strings.TrimSpace(string(dir)), "wasm", "http.wasm"))
	file := filepath.Join(t.TempDir(), "errand.toml")
	site := fmt.Sprintf("[policy]\nallowed_domains = []\n[[sites]]\nid = \"todos\"\naliases = [\"todos\"]\nhome = \"https://%s/\"\nhosts = [%q]\n", host, host)
	must.Succeed(t, os.WriteFile(file, []byte(site), 0o600))
	a, home := opened(t, Options{Demo: true, Config: config.Options{File: file}})
	folder := filepath.Join(home, ".local", "share", "errand", "plugins", "todos")
	must.Succeed(t, os.MkdirAll(folder, 0o755))
	sum := sha256.Sum256(module)
	manifest := fmt.Sprintf(`schema = 1
id = "todos"
version = "1.0.0"
description = "todos"
module = "http.wasm"
sha256 = %q
abi = "extism"
hosts = [%q]
[[tool]]
name = "todos.first"
function = "run_test"
description = "the first one"
side_effect_class = "read"
effect = "read"
args_schema = '{"type":"object"}'
`, hex.EncodeToString(sum[:]), host)
	for name, content := range map[string][]byte{"plugin.toml": []byte(manifest), "http.wasm": module} {
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name), content, 0o600))
	}
	agreed, err := a.PluginInstaller().ProposeEnable(t.Context(), "todos")
	must.Succeed(t, err)
	must.Succeed(t, a.PluginInstaller().Install(t.Context(), agreed, plugins.Consent{Yes: true}))
	var noted []string
	fetch := func(run, call string) {
		t.Helper()
		_, err := a.sessions.New(run, plan.UserGoal, func(n trace.Note) {
			c := n.(trace.ConnectionNote)
			noted = append(noted, fmt.Sprint(c.Kind(), " ", c.Rule, " ", c.Tool, " ", c.Step))
		})
		must.Succeed(t, err)
		set, err := a.toolSet(t.Context())
		must.Succeed(t, err)
		first, ok := set.Get("todos.first")
		if !ok {
			t.Fatal("no todos.first")
		}
		// What is allowed fails all the same: nothing believes the demo's certificate
		// but its own browser.
		c := tool.Call{Tool: "todos.first", ActionID: call, RunID: run, Origin: "user_goal", Args: map[string]any{}}
		if r, err := first.Call(tool.WithCaller(t.Context(), first.Spec().Caller(c)), c); err == nil && r.OK {
			t.Errorf("fetched %v", r.Payload)
		}
	}
	fetch("r1", "a1")
	grant(t, a, grants.Request{Pattern: host, Scope: policy.Always, Plugin: "weather"})
	fetch("r1", "a2")
	once := grant(t, a, grants.Request{Pattern: host, Scope: policy.Once, Plugin: "todos", Tool: "todos.*"})
	fetch("r1", "a3")
	fetch("r1", "a4")
	want := []string{
		"connection " + policy.RuleUnlisted + " todos.first a1",
		"connection " + policy.RuleUnlisted + " todos.first a2",
		"connection grants[" + once.ID + "] todos.first a3",
		"connection " + policy.RuleUnlisted + " todos.first a4",
	}
	if strings.Join(noted, "\n") != strings.Join(want, "\n") {
		t.Errorf("noted\n%s\nwant\n%s", strings.Join(noted, "\n"), strings.Join(want, "\n"))
	}
	list, err := a.grants.Grants(t.Context(), true)
	if i := slices.IndexFunc(list, func(g grants.Grant) bool { return g.ID == once.ID }); err != nil || i < 0 || list[i].State != grants.Used || list[i].Call != "a3" {
		t.Errorf("grants %+v, %v", list, err)
	}
}
