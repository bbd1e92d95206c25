// Notices collects the licences of third-party code in the programs, which must be
// distributed with them: Go and the linked modules, the crates of the bundled plugins, and
// the libraries in the window's page.
//
//	go run ./build/notices -page frontend/dist/licenses.md -crates plugins/Cargo.lock bin/errand bin/errand-rego bin/errand-desktop
//
// It fails if it can't find the licence of linked code.
package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	page := flag.String("page", "", "`file` with the licences of the page's libraries")
	crates := flag.String("crates", "", "Cargo.lock `file` of the bundled plugins")
	flag.Parse()
	if err := write(os.Stdout, flag.Args(), *crates, *page); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// spelling is the folder of the words that are never corrected.
const spelling = "planner/interpret/lexicon/spelling/"

// notice is the licence of one third-party work.
type notice struct {
	name  string // "Go module golang.org/x/net v0.44.0"
	files []string
}

func write(w io.Writer, programs []string, crates, page string) error {
	all, err := modules(programs)
	if err != nil {
		return err
	}
	if crates != "" {
		more, err := crateNotices(crates)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	all = append(all, notice{"Words of the English dictionary SCOWL", []string{spelling + "LICENSE.scowl"}}, notice{"Words of the Russian dictionary of hunspell", []string{spelling + "LICENSE.hunspell-ru"}})
	if page != "" {
		all = append(all, notice{"Libraries in the window's page", []string{page}})
	}
	fmt.Fprint(w, "Errand contains the works of others. Their licences follow.\n")
	for _, n := range all {
		fmt.Fprintf(w, "\n%s\n%s\n", strings.Repeat("=", 72), n.name)
		for _, file := range n.files {
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\n%s\n", strings.Repeat("-", 72), bytes.TrimSpace(b))
		}
	}
	return nil
}

// modules returns Go itself and the modules that the programs list as linked in.
func modules(programs []string) ([]notice, error) {
	linked := map[string]bool{} // path@version
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			linked[m.Path+"@"+m.Version] = true
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	all := []notice{{"Go's runtime and standard library", []string{filepath.Join(strings.TrimSpace(string(root)), "LICENSE")}}}
	names := slices.Sorted(maps.Keys(linked))
	if len(names) == 0 {
		return all, nil
	}
	out, err := exec.Command("go", append([]string{"mod", "download", "-json"}, names...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		files, err := licences(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("module %s: %w", m.Path, err)
		}
		all = append(all, notice{"Go module " + m.Path + " " + m.Version, files})
	}
	slices.SortStableFunc(all[1:], func(a, b notice) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// licences returns the files in a module's root that contain licences or required notices.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		for _, word := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"} {
			if strings.HasPrefix(name, word) && !e.IsDir() {
				files = append(files, filepath.Join(dir, e.Name()))
				break
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no licence in %s", dir)
	}
	return files, nil
}
