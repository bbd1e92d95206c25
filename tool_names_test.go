package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/desktop"
	"errand/host/files"
	"errand/host/system"
	"errand/host/tool"
	"errand/plugins"
)

// toolPackages are where tools are, each with the names of its own.
var toolPackages = map[string]func() []string{
	"host/browser": func() []string { return namesOf(actions.New(actions.Options{})) },
	"host/files":   func() []string { return namesOf(files.Tools(files.Options{Roots: noRoots})) },
	"host/desktop": func() []string { return namesOf(desktop.Tools(desktop.Options{})) },
	"host/system":  func() []string { return namesOf(system.Tools(system.Options{})) },
	"plugins":      func() []string { return slices.Collect(maps.Keys(plugins.Displays())) },
}

func noRoots() []string { return nil }

func namesOf(tools []tool.Tool) []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Spec().Name)
	}
	return names
}

// TestToolsDeclarePages: the planner knows from the facts of a tool whether it acts on
// the open page, or opens one where there is none.
func TestToolsDeclarePages(t *testing.T) {
	needing, opening := 0, 0
	for _, tl := range slices.Concat(actions.New(actions.Options{}), files.Tools(files.Options{Roots: noRoots}), system.Tools(system.Options{})) {
		s := tl.Spec()
		if s.Page.NeedsPage() {
			needing++
			if !slices.Contains(s.Requires, "page_open") {
				t.Errorf("%s needs a page and does not require page_open", s.Name)
			}
		}
		if s.PageOfURL != nil && *s.PageOfURL == tool.OpensPage && !slices.Contains(s.Requires, "page_open") {
			opening++
			if !slices.Contains(s.Effects, "page_open") {
				t.Errorf("%s opens a page and has no effect page_open", s.Name)
			}
		}
	}
	if needing == 0 || opening == 0 {
		t.Errorf("%d tools need a page, %d open one", needing, opening)
	}
}

// TestNoToolIsKnownByName: no package but a tool's own decides by the name of a
// tool. What has to be known of a tool stands in its spec.
func TestNoToolIsKnownByName(t *testing.T) {
	names := map[string]string{} // a tool's name, or what its package's names begin with, and the package
	for dir, list := range toolPackages {
		for _, name := range list() {
			names[name] = dir
			if prefix, _, _ := strings.Cut(name, "."); dir != "plugins" {
				names[prefix+"."] = dir
			}
		}
	}
	files := map[string]*ast.File{}
	constants := map[string]string{} // "package.Name" → the name of a tool
	for _, root := range []string{"app", "cmd", "host", "planner", "plugins", "policy", "frontend"} {
		must.Succeed(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), "_")) {
				if err == nil {
					return filepath.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			files[path] = parsed
			if err == nil {
				for name, value := range toolConstants(parsed, names) {
					constants[parsed.Name.Name+"."+name] = value
				}
			}
			return err
		}))
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, name := range namesDecidedBy(files[path], names, constants) {
			if owner := names[name]; dir != owner && !strings.HasPrefix(dir, owner+"/") {
				t.Errorf("%s decides by the name %q, which is for %s to know", path, name, owner)
			}
		}
	}
}

// toolConstants are the constants of a file that are the name of a tool.
func toolConstants(f *ast.File, names map[string]string) map[string]string {
	out := map[string]string{}
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i, name := range v.Names {
				if i < len(v.Values) {
					if text, ok := literal(v.Values[i]); ok && names[text] != "" {
						out[name.Name] = text
					}
				}
			}
		}
	}
	return out
}

// namesDecidedBy are the tools that a file compares with, switches on, looks up in a
// map or finds by how their names begin.
func namesDecidedBy(f *ast.File, names, constants map[string]string) []string {
	var out []string
	look := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			text, ok := literal(e)
			if !ok {
				switch e := e.(type) {
				case *ast.Ident:
					text = constants[f.Name.Name+"."+e.Name]
				case *ast.SelectorExpr:
					if x, ok := e.X.(*ast.Ident); ok {
						text = constants[x.Name+"."+e.Sel.Name]
					}
				}
			}
			if names[text] != "" {
				out = append(out, text)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				look(n.X, n.Y)
			}
		case *ast.CaseClause:
			look(n.List...)
		case *ast.IndexExpr:
			look(n.Index)
		case *ast.CompositeLit:
			if _, isMap := n.Type.(*ast.MapType); isMap {
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						look(kv.Key)
					}
				}
			}
		case *ast.CallExpr:
			if strings.Contains("HasPrefix CutPrefix TrimPrefix Contains", nameOf(n.Fun)) && nameOf(n.Fun) != "" {
				look(n.Args...)
			}
		}
		return true
	})
	return out
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// TestNamesDecidedBy: what counts as deciding by a tool's name, and what does not.
func TestNamesDecidedBy(t *testing.T) {
	names := map[string]string{"browser.open": "host/browser", "browser.": "host/browser"}
	for body, want := range map[string]int{
		`_ = name == "browser.open"`:                                 1,
		`_ = browser.OpenName != name`:                               1,
		`switch name { case "x", "browser.open": }`:                  1,
		`_ = map[string]bool{"browser.open": true}[name]`:            1,
		`_ = strings.HasPrefix(name, "browser.")`:                    1,
		`_ = slices.Contains(all, own)`:                              1,
		`call("browser.open"); _ = tool.Call{Tool: "browser.open"}`:  0,
		`_ = []string{"browser.open"}; _ = name == "browser.closed"`: 0,
	} {
		src := fmt.Sprintf("package p\nconst own = \"browser.open\"\nfunc f() { %s }", body)
		parsed, err := parser.ParseFile(token.NewFileSet(), "f.go", src, parser.SkipObjectResolution)
		must.Succeed(t, err)
		constants := map[string]string{"browser.OpenName": "browser.open"}
		for name, value := range toolConstants(parsed, names) {
			constants["p."+name] = value
		}
		if got := namesDecidedBy(parsed, names, constants); len(got) != want {
			t.Errorf("%s: %v, want %d", body, got, want)
		}
	}
}
