package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
)

// authored is the folder of a plugin's author.
func authored(t *testing.T, dir, id, version, more string) {
	t.Helper()
	text := fmt.Sprintf("schema = 1\nid = %q\nversion = %q\nmodule = \"m.wasm\"\nabi = \"extism\"\n%s\n", id, version, more) +
		fmt.Sprintf("[[tool]]\nname = \"%s.go\"\nfunction = \"go\"\ndescription = \"Goes\"\nside_effect_class = \"read\"\neffect = \"read\"\n", id)
	must.Succeed(t, os.MkdirAll(dir, 0o700))
	for name, content := range map[string]string{"plugin.toml": text, "m.wasm": goModule(version)} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
}

// TestInstallConfirmation checks that one question at a terminal follows the list of rights, and
// that every answer but yes is a no. A yes in the command does not cover wider rights.
func TestInstallConfirmation(t *testing.T) {
	const plain, wider = "install it? [y/N] ", "it needs more permissions than before; install it? [y/N] "
	tests := []struct {
		name  string
		was   string // version that is installed; "": none
		more  string // of the new one's manifest
		args  []string
		typed string
		exit  print.Exit
		is    string // installed afterwards; "": none
		shows string
	}{
		{"yes", "", "", nil, "y\n", print.Done, "2.0.0", "uses no files\n  read-only tools: tick.go\n" + plain},
		{"no", "", "", nil, "n\n", print.Cancelled, "", plain},
		{"nothing", "", "", nil, "\n", print.Cancelled, "", "nothing was changed"},
		{"the end of the input", "", "", nil, "", print.Cancelled, "", plain},
		{"said already", "", "", []string{"--yes"}, "", print.Done, "2.0.0", "installed  tick 2.0.0"},
		{"an update", "1.0.0", "", nil, "да\n", print.Done, "2.0.0", "replaces 1.0.0"},
		{"an update that is not wanted", "1.0.0", "", nil, "n\n", print.Cancelled, "1.0.0", plain},
		{"more than before", "1.0.0", `hosts = ["a.example"]`, nil, "y\n", print.Done, "2.0.0", "more: reaches a.example\n" + wider},
		{"more than before, and a yes in the command", "1.0.0", `hosts = ["a.example"]`, []string{"--yes"}, "n\n", print.Cancelled, "1.0.0", wider},
		{"more than before, said already", "1.0.0", `hosts = ["a.example"]`, []string{"--accept-wider"}, "", print.Done, "2.0.0", "more: reaches a.example"},
		{"an older one, and a yes", "3.0.0", "", nil, "y\n", print.NeedsApproval, "3.0.0", "tick 2.0.0 is older than 3.0.0"},
		{"an older one", "3.0.0", "", []string{"--allow-downgrade"}, "y\n", print.Done, "2.0.0", "downgrade: 3.0.0 is installed, which is newer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			dir := filepath.Join(p.home, "tick")
			if tt.was != "" {
				authored(t, dir, "tick", tt.was, "")
				if code, out := p.scripted(t, "plugin", "install", dir, "--yes"); code != 0 {
					t.Fatal(out)
				}
			}
			authored(t, dir, "tick", "2.0.0", tt.more)
			code, shown := p.types(t, tt.typed, append([]string{"plugin", "install", dir}, tt.args...)...)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			if _, list := p.scripted(t, "plugin", "verify"); tt.is != "" && !strings.Contains(list, "tick "+tt.is) || tt.is == "" && strings.Contains(list, "tick") {
				t.Errorf("installed is %s, want %q", list, tt.is)
			}
		})
	}
}

// TestConcurrentInstalls starts one program for each plugin at once. Afterwards every plugin is
// installed completely.
func TestConcurrentInstalls(t *testing.T) {
	p := sit(t)
	const n = 6
	var wg sync.WaitGroup
	for i := range n {
		id := "tick" + string(rune('a'+i))
		dir := filepath.Join(p.home, id)
		authored(t, dir, id, "1.0.0", "")
		wg.Go(func() {
			cmd := exec.CommandContext(context.Background(), os.Args[0], "plugin", "install", dir, "--yes")
			cmd.Env = append(os.Environ(), append(p.env, "ERRAND_AS_PROGRAM=1")...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", id, err, out)
			}
		})
	}
	wg.Wait()
	code, out := p.scripted(t, "plugin", "verify")
	if code != 0 || strings.Count(out, "unchanged") != n {
		t.Errorf("exit %d\n%s", code, out)
	}
}
