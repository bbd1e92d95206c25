package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLayoutsHaveNoWords checks that format strings of commands contain no words, because they
// are the same in every language.
func TestLayoutsHaveNoWords(t *testing.T) {
	verb, word := regexp.MustCompile(`%[-.0-9]*[a-z]`), regexp.MustCompile(`\pL{2,}`)
	found := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Printf", "Sayf", "Notef", "Writef"}, f.Sel.Name) {
				return true
			}
			for _, arg := range call.Args[:min(2, len(call.Args))] {
				literal, ok := arg.(*ast.BasicLit)
				if !ok {
					continue
				}
				found++
				layout, _ := strconv.Unquote(literal.Value)
				if w := word.FindString(strings.ReplaceAll(verb.ReplaceAllString(layout, ""), "errand", "")); w != "" {
					t.Errorf("%s: the layout %q has the word %q; use a message", name, layout, w)
				}
				break
			}
			return true
		})
		return nil
	})
	if err != nil || found < 30 {
		t.Fatalf("found %d layouts: %v", found, err)
	}
}
