package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/build/must"
)

// acceptance is an id of testdata/seed_acceptance.jsonl at the beginning of a
// test's name.
var acceptance = regexp.MustCompile(`^(?:S[0-4]-[TH]\d+|X-\d+)\b`)

// TestAcceptance holds the seeds' acceptance lines against the tests: each line
// is the name of a subtest somewhere in the program, or is listed in
// testdata/not-yet.txt, never both.
func TestAcceptance(t *testing.T) {
	lines := acceptanceIDs(t)
	named := namedTests(t, "..")
	later := notYet(t)
	for _, id := range lines {
		switch {
		case named[id] != "" && later[id]:
			t.Errorf("%s is tested in %s: take it out of testdata/not-yet.txt", id, named[id])
		case named[id] == "" && !later[id]:
			t.Errorf("no subtest begins with %s, and testdata/not-yet.txt doesn't list it", id)
		}
	}
	for _, ids := range []map[string]bool{later, asSet(named)} {
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if !slices.Contains(lines, id) {
				t.Errorf("%s is none of testdata/seed_acceptance.jsonl", id)
			}
		}
	}
	t.Logf("%d of %d lines are tests", len(lines)-len(later), len(lines))
}

func acceptanceIDs(t *testing.T) []string {
	b := must.ReadFile(t, "testdata/seed_acceptance.jsonl")
	var ids []string
	for line := range bytes.Lines(b) {
		var c struct{ ID string }
		must.Succeed(t, json.Unmarshal(line, &c))
		ids = append(ids, c.ID)
	}
	return ids
}

func notYet(t *testing.T) map[string]bool {
	f, err := os.Open("testdata/not-yet.txt")
	must.Succeed(t, err)
	defer f.Close()
	ids := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if id, _, _ := strings.Cut(s.Text(), " "); id != "" && id != "#" {
			ids[id] = true
		}
	}
	return ids
}

// namedTests finds the ids that begin a subtest's name: text within a test
// function of a Go test file, as an argument of Run or in a table.
func namedTests(t *testing.T, root string) map[string]string {
	named := map[string]string{}
	must.Succeed(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".") && e.Name() != ".."):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, isFunc := decl.(*ast.FuncDecl)
			if !isFunc || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, isText := n.(*ast.BasicLit); isText && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						if id := acceptance.FindString(text); id != "" {
							named[id] = path
						}
					}
				}
				return true
			})
		}
		return nil
	}))
	return named
}

func asSet(m map[string]string) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
