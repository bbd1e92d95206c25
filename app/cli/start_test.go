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

// TestPackagesDoLittleBeforeMain bounds the bytes that Errand's packages allocate before
// main: tables and regular expressions are made at their first use.
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

// TestStartParsesNoDescriptionOfTools: with the files of make tables, nothing parses the
// schemas and manifests of the tools that are part of the program.
func TestStartParsesNoDescriptionOfTools(t *testing.T) {
	for _, file := range []string{"../../host/tool/built.go", "../../host/wasm/manifest/built.go"} {
		if _, err := os.Stat(file); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip("not generated: run make tables")
		}
	}
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
