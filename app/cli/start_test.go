package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/build/must"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
	"errand/plugins"
)

// Each command waits for what the packages do before main, and for the description of every
// tool. These tests count that work.

// TestPackagesDoLittleBeforeMain limits the bytes that Errand's packages allocate before main.
// Tables and regular expressions are made at their first use.
func TestPackagesDoLittleBeforeMain(t *testing.T) {
	const most, mostOfAll = 12 << 10, 64 << 10 // bytes
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages, sum := 0, 0
	for line := range strings.Lines(string(out)) {
		var name string
		var at, took float64
		var size, count int
		if n, _ := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &took, &size, &count); n != 5 || !strings.HasPrefix(name, "errand/") || name == "errand/app/cli" {
			continue // this package has the variables of its tests, too
		}
		packages++
		sum += size
		if size > most {
			t.Errorf("%s allocates %d bytes before main, which is more than %d", name, size, most)
		}
	}
	if packages < 10 {
		t.Fatalf("only %d packages are traced:\n%.2000s", packages, out)
	}
	if sum > mostOfAll {
		t.Errorf("all packages allocate %d bytes before main, which is more than %d", sum, mostOfAll)
	}
}

// TestCommandsAllocateLittle bounds the bytes that a command allocates with the files of make
// tables: the first use of each page of memory takes longer than most of what is put there.
func TestCommandsAllocateLittle(t *testing.T) {
	requireTables(t)
	for _, tt := range []struct {
		most int // bytes; a little more than today
		args []string
	}{
		{64 << 10, []string{"version"}},
		{2200 << 10, []string{"plan", "open youtube and search nvidia"}},
		{2200 << 10, []string{"plan", "открой ютуб и найди nvidia"}},
		{2100 << 10, []string{"plan", "--json", "create a folder called Reports in Documents"}},
		{1000 << 10, []string{"policy", "check", "https://youtube.com/"}},
	} {
		c := exec.Command(os.Args[0], tt.args...)
		c.Env = []string{"ERRAND_AS_PROGRAM=1", "ERRAND_TEST_ALLOCATED=1", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		var stderr strings.Builder
		c.Stderr = &stderr
		c.Run() // a plan that asks ends with 4, and a host that has no address with 5
		var size int
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		if _, err := fmt.Sscan(lines[len(lines)-1], &size); err != nil {
			t.Fatalf("%q: %v\n%s", tt.args, err, &stderr)
		}
		t.Logf("%q: %d bytes", tt.args, size)
		if size > tt.most {
			t.Errorf("%q allocates %d bytes, which is more than %d", tt.args, size, tt.most)
		}
	}
}

// requireTables skips a test if the files of make tables are missing.
func requireTables(t *testing.T) {
	t.Helper()
	for _, file := range []string{"host/tool", "host/wasm/manifest", "planner/catalogue", "planner/interpret/lexicon", "policy/quarantine", "policy/redact/find"} {
		if _, err := os.Stat("../../" + file + "/built.go"); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip("not generated: run make tables")
		}
	}
}

// TestStartParsesNoSchemas checks that with the files of make tables no schema or manifest of a
// built-in tool is parsed at the start.
func TestStartParsesNoSchemas(t *testing.T) {
	requireTables(t)
	a, err := app.Open(app.Options{Config: config.Options{Env: []string{"HOME=" + t.TempDir()}}})
	must.Succeed(t, err)
	defer a.Close()
	specs, err := a.Tools(t.Context())
	if err != nil || len(specs) < 40 {
		t.Fatalf("%d tools, %v", len(specs), err)
	}
	for _, s := range specs {
		if n := testing.AllocsPerRun(1, func() { s.Params() }); n > 0 {
			t.Errorf("%s: its schema is parsed at each start: run make tables", s.Name)
		}
	}
	folders, err := plugins.BundledFolders()
	must.Succeed(t, err)
	for id, folder := range folders {
		text, err := install.ReadManifest(folder)
		must.Succeed(t, err)
		if n := testing.AllocsPerRun(1, func() { _, err = manifest.ParseBundled(text) }); n > 0 || err != nil {
			t.Errorf("%s: its manifest is parsed at each start (%v): run make tables", id, err)
		}
	}
}
