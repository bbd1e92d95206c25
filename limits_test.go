package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"testing"

	"errand/build/must"
)

// Limits of each type and package. Test files don't count.
const (
	maxMethods = 40
	maxFiles   = 30
	maxLines   = 3500
)

// TestLimits checks the number of methods of each type, and the number of files
// and lines of each package.
func TestLimits(t *testing.T) {
	sizes := map[string]*packageSize{}
	for _, file := range sourceFiles(t) {
		source := must.ReadFile(t, file)
		dir := path.Dir(file)
		if sizes[dir] == nil {
			sizes[dir] = &packageSize{methods: map[string]int{}}
		}
		must.Succeed(t, sizes[dir].add(file, source))
	}
	if len(sizes) < 50 {
		t.Fatalf("found %d packages, want all", len(sizes))
	}
	for _, dir := range slices.Sorted(maps.Keys(sizes)) {
		size := sizes[dir]
		if size.files > maxFiles {
			t.Errorf("package %s has %d files, at most %d", dir, size.files, maxFiles)
		}
		if size.lines > maxLines {
			t.Errorf("package %s has %d lines, at most %d", dir, size.lines, maxLines)
		}
		for _, name := range slices.Sorted(maps.Keys(size.methods)) {
			if size.methods[name] > maxMethods {
				t.Errorf("type %s.%s has %d methods, at most %d", dir, name, size.methods[name], maxMethods)
			}
		}
	}
}

// TestLimitsCount shows how files, lines and methods are counted.
func TestLimitsCount(t *testing.T) {
	size := packageSize{methods: map[string]int{}}
	must.Succeed(t, size.add("a.go", []byte("package a\n\ntype T struct{}\n\nfunc (T) A() {}\nfunc (t *T) B() {}\nfunc (l *list[T]) C() {}\nfunc D() {}\n")))
	if size.files != 1 || size.lines != 8 || !maps.Equal(size.methods, map[string]int{"T": 2, "list": 1}) {
		t.Errorf("got %+v", size)
	}
}

// packageSize counts the files, lines and methods of a package.
type packageSize struct {
	files, lines int
	methods      map[string]int // by receiver type
}

func (s *packageSize) add(file string, source []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	s.files++
	s.lines += bytes.Count(source, []byte("\n"))
	for _, d := range f.Decls {
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
			s.methods[receiverName(method.Recv.List[0].Type)]++
		}
	}
	return nil
}

// receiverName returns the type name of a receiver without its pointer and type parameters.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
