package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/build/must"
)

const vagueNamesFile = "testdata/plain_english/vague_names.txt"

// TestVagueNames finds functions, methods, types, fields and packages whose whole name is
// a word that says nothing.
func TestVagueNames(t *testing.T) {
	vague := vagueWords(t)
	for _, file := range sourceFiles(t) {
		for _, found := range findVagueNames(t, vague, file, nil) {
			t.Errorf("%s: name it by what it holds or does", found)
		}
	}
}

// TestVagueNamesFinds shows which names are found.
func TestVagueNamesFinds(t *testing.T) {
	for source, want := range map[string]string{
		"package kept":   "kept",
		"func told() {}": "told",
		"type r struct{}; func (r) Left() int { return 0 }":        "Left",
		"type Fault struct{}":                                      "Fault",
		"type r struct{ id, said string }":                         "said",
		"type r interface{ Given() string }":                       "Given",
		"func f() { var _ struct{ was int } }":                     "was",
		"type r struct{ Why string `json:\"why\"` }":               "",
		"type r struct{ Why string `json:\"reason\"` }":            "Why",
		"type r struct{ Aside string `toml:\"aside,omitempty\"` }": "",
		"func f() { left := 1; _ = left }":                         "",
		"func whyDenied() {}":                                      "",
	} {
		if !strings.HasPrefix(source, "package ") {
			source = "package p; " + source
		}
		found := findVagueNames(t, vagueWords(t), "f.go", source)
		if got := strings.Join(found, "\n"); want == "" && got != "" || !strings.HasSuffix(got, want) {
			t.Errorf("%s: found %q, want %q", source, got, want)
		}
	}
}

func vagueWords(t *testing.T) []string {
	t.Helper()
	var words []string
	for line := range strings.Lines(readText(t, vagueNamesFile)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			words = append(words, line)
		}
	}
	return words
}

// findVagueNames looks at a file, or at a source that is not nil, and returns each vague
// name after its position.
func findVagueNames(t *testing.T, words []string, file string, source any) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	must.Succeed(t, err)
	var out []string
	check := func(names ...*ast.Ident) {
		for _, name := range names {
			if slices.Contains(words, strings.ToLower(name.Name)) {
				out = append(out, fmt.Sprintf("%s:%d: %s", file, set.Position(name.Pos()).Line, name.Name))
			}
		}
	}
	check(parsed.Name)
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			check(n.Name)
		case *ast.TypeSpec:
			check(n.Name)
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				check(method.Names...)
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				if len(field.Names) != 1 || !isKey(field.Names[0].Name, field.Tag) {
					check(field.Names...)
				}
			}
		}
		return true
	})
	return out
}

// isKey reports whether a field's tag has its name as the key of a document.
func isKey(name string, tag *ast.BasicLit) bool {
	if tag == nil {
		return false
	}
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return false
	}
	for _, format := range []string{"json", "toml"} {
		if key, _, _ := strings.Cut(reflect.StructTag(text).Get(format), ","); strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}
