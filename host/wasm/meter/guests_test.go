package meter_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"errand/build/must"
)

// guest is a program of testdata/guests: what builds it, run in a folder with
// copies of the sources.
var guests = []struct {
	language string
	build    [][]string
}{
	{"c", [][]string{{"clang-14", "--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "guest.c", "-o", "c.wasm"}}},
	{"rust", [][]string{{"/usr/bin/rustc", "--target", "wasm32-unknown-unknown", "--crate-type", "cdylib", "-O", "guest.rs", "-o", "rust.wasm"}}},
	{"go", [][]string{{"env", "GOOS=wasip1", "GOARCH=wasm", "go", "build", "-buildmode=c-shared", "-o", "go.wasm", "go/main.go"}}},
	{"as", [][]string{
		{"npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", "assemblyscript@0.28.8"},
		{"node", "node_modules/assemblyscript/bin/asc.js", "guest.ts", "--runtime", "incremental", "-O3", "-o", "as.wasm"},
	}},
}

var built struct {
	sync.Mutex
	guests map[string][]byte
}

// buildGuests returns the guests by language. It builds each once.
func buildGuests(t testing.TB, languages ...string) map[string][]byte {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.guests == nil {
		built.guests = map[string][]byte{}
	}
	folder := t.TempDir()
	must.Succeed(t, os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "guests"))))
	all := map[string][]byte{}
	for _, language := range languages {
		if code := built.guests[language]; code != nil {
			all[language] = code
			continue
		}
		for _, g := range guests {
			if g.language != language {
				continue
			}
			for _, line := range g.build {
				c := exec.Command(line[0], line[1:]...)
				c.Dir = folder
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("build the guest in %s: %v\n%s", language, err, out)
				}
			}
			b := must.ReadFile(t, filepath.Join(folder, language+".wasm"))
			all[language], built.guests[language] = b, b
		}
	}
	return all
}
