package main_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// TestSeedImports are the acceptance lines about what a floor is made of.
func TestSeedImports(t *testing.T) {
	t.Run("S4-H26 the planner has no network, files, clock or chance", func(t *testing.T) {
		n := 0
		for _, p := range listPackages(t) {
			if p.ImportPath != "errand/planner" && !strings.HasPrefix(p.ImportPath, "errand/planner/") {
				continue
			}
			n++
			for _, imp := range p.Imports {
				if matches(fences, imp) || slices.Contains([]string{"time", "crypto/rand", "syscall", "log", "log/slog", "os/user", "io/ioutil", "plugin", "unsafe"}, imp) {
					t.Errorf("%s imports %s", p.ImportPath, imp)
				}
			}
		}
		if n < 4 {
			t.Errorf("%d packages looked at", n)
		}
	})

	t.Run("X-02 below the faces no C and no window", func(t *testing.T) {
		floors := []string{"./planner/...", "./policy/...", "./host/..."}
		list := exec.Command("go", append([]string{"list", "-deps", "-test", "-f", "{{if not .Standard}}{{.ImportPath}} {{len .CgoFiles}}{{end}}"}, floors...)...)
		list.Env = append(os.Environ(), "CGO_ENABLED=1")
		out, err := list.Output()
		must.Succeed(t, err)
		n := 0
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) == 0 {
				continue
			}
			n++
			if path := f[0]; f[len(f)-1] != "0" || strings.Contains(path, "wails") || strings.Contains(path, "gtk") || strings.Contains(path, "webkit") {
				t.Errorf("%s with %s C files", path, f[len(f)-1])
			}
		}
		if n < 30 {
			t.Errorf("%d packages looked at", n)
		}
		build := exec.Command("go", append([]string{"build"}, floors...)...)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("build without C: %v\n%s", err, out)
		}
	})
}
