package desktop

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/desktop/view"
	"errand/build/must"
	"errand/planner/message"
)

const typescriptFile = "../../frontend/src/lib/api.ts"

var update = flag.Bool("update", false, "rewrite the generated TypeScript")

// TestTypeScriptIsCurrent holds the page's types against the Go types that they
// are made from.
//
//	go test ./app/desktop -run TypeScript -update
func TestTypeScriptIsCurrent(t *testing.T) {
	want := typescript(t)
	if *update {
		must.Succeed(t, os.WriteFile(typescriptFile, []byte(want), 0o644))
		return
	}
	got := must.ReadFile(t, typescriptFile)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is stale; run go test ./app/desktop -run TypeScript -update (-want +got)\n%s", typescriptFile, diff)
	}
}

// unions are the string types of which the page knows every value.
var unions = map[reflect.Type][]string{
	reflect.TypeFor[view.Gate](): {
		string(view.GateRuns), string(view.GateAsks), string(view.GateRefused), string(view.GateQuestion), string(view.GateDone), string(view.GateNone),
	},
	reflect.TypeFor[view.ScopeName](): {string(view.ScopeOnce), string(view.ScopeRun), string(view.ScopeAlways)},
}

// typescript renders the views that the API's methods and events reach, in the
// order in which they are met, with what the Go sources say of them.
func typescript(t *testing.T) string {
	g := generator{said: readSources(t), seen: map[reflect.Type]bool{}}
	api := reflect.TypeFor[*API]()
	var methods strings.Builder
	for m := range api.Methods() {
		if methods.Len() > 0 {
			methods.WriteString("\n")
		}
		methods.WriteString(comment("  ", g.said.docs["API."+m.Name]))
		methods.WriteString("  " + m.Name + "(" + g.params(m) + "): Promise<" + g.result(m.Type) + ">;\n")
	}
	g.name(reflect.TypeFor[view.RunEvent]())
	g.name(reflect.TypeFor[view.WaitingEvent]())
	g.name(reflect.TypeFor[view.Failure]())

	var b strings.Builder
	b.WriteString("// Generated from app/desktop by its test; do not edit.\n")
	b.WriteString("// go test ./app/desktop -run TypeScript -update\n\n")
	b.WriteString("export interface API {\n" + methods.String() + "}\n\n")
	b.WriteString("export interface Events {\n")
	fmt.Fprintf(&b, "  %s: RunEvent;\n  %s: WaitingEvent;\n  %s: void;\n}\n", view.EventRun, view.EventWaiting, view.EventClose)
	for _, d := range g.declarations {
		b.WriteString("\n" + d)
	}
	return b.String()
}

// sources have what the Go files say and reflection does not know.
type sources struct {
	docs   map[string]string   // "Run", "Run.Seq", "API.Get" → its comment
	params map[string][]string // "API.Get" → the names of its parameters
}

func readSources(t *testing.T) sources {
	t.Helper()
	out := sources{docs: map[string]string{}, params: map[string][]string{}}
	names, err := filepath.Glob("*.go")
	must.Succeed(t, err)
	views, err := filepath.Glob("view/*.go")
	must.Succeed(t, err)
	names = append(names, views...)
	files := token.NewFileSet()
	for _, name := range names {
		f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		must.Succeed(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				out.method(d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						out.docs[s.Name.Name] = d.Doc.Text()
						out.fields(s)
					}
				}
			}
		}
	}
	return out
}

func (s *sources) method(d *ast.FuncDecl) {
	if d.Recv == nil {
		return
	}
	star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
	if !ok || !isPartOfAPI(fmt.Sprint(star.X)) {
		return
	}
	name := "API." + d.Name.Name
	s.docs[name] = d.Doc.Text()
	for _, p := range d.Type.Params.List {
		for _, n := range p.Names {
			s.params[name] = append(s.params[name], n.Name)
		}
	}
}

// isPartOfAPI reports whether the methods of the named type are promoted to [API].
func isPartOfAPI(name string) bool {
	part, ok := reflect.TypeFor[API]().FieldByName(name)
	return name == "API" || ok && part.Anonymous
}

func (s *sources) fields(spec *ast.TypeSpec) {
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			s.docs[spec.Name.Name+"."+n.Name] = f.Comment.Text()
		}
	}
}

// comment is a doc comment in TypeScript; links of Go lose their brackets.
func comment(indent, text string) string {
	text = strings.TrimSpace(strings.NewReplacer("[API.", "", "[", "", "]", "").Replace(text))
	switch {
	case text == "":
		return ""
	case !strings.Contains(text, "\n"):
		return indent + "/** " + text + " */\n"
	}
	return indent + "/**\n" + indent + " * " + strings.ReplaceAll(text, "\n", "\n"+indent+" * ") + "\n" + indent + " */\n"
}

type generator struct {
	said         sources
	seen         map[reflect.Type]bool
	declarations []string
}

func (g *generator) params(m reflect.Method) string {
	var out []string
	for i := 1; i < m.Type.NumIn(); i++ { // 0 is the receiver
		out = append(out, g.said.params["API."+m.Name][i-1]+": "+g.name(m.Type.In(i)))
	}
	return strings.Join(out, ", ")
}

func (g *generator) result(method reflect.Type) string {
	if method.NumOut() == 1 { // only the error
		return "void"
	}
	return g.name(method.Out(0))
}

// name is t in TypeScript; a struct is declared when it is first met.
func (g *generator) name(t reflect.Type) string {
	if values, ok := unions[t]; ok {
		return "'" + strings.Join(values, "' | '") + "'"
	}
	if t == reflect.TypeFor[message.Message]() { // see view.Say
		return "string"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Slice:
		return g.name(t.Elem()) + "[]"
	case reflect.Pointer:
		return g.name(t.Elem()) + " | null"
	case reflect.Struct:
		g.declare(t)
		return t.Name()
	}
	panic("no TypeScript for " + t.String() + ": views are flat")
}

func (g *generator) declare(t reflect.Type) {
	if g.seen[t] {
		return
	}
	g.seen[t] = true
	at := len(g.declarations)
	g.declarations = append(g.declarations, "")
	var b strings.Builder
	b.WriteString(comment("", g.said.docs[t.Name()]))
	b.WriteString("export interface " + t.Name() + " {\n")
	for _, f := range reflect.VisibleFields(t) { // in JSON's form: with the fields of embedded structs
		if f.Anonymous {
			continue
		}
		b.WriteString(comment("  ", g.said.docs[t.Name()+"."+f.Name]))
		name, optional := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
		if optional {
			name += "?"
		}
		b.WriteString("  " + name + ": " + g.name(f.Type) + ";\n")
	}
	g.declarations[at] = b.String() + "}\n"
}
