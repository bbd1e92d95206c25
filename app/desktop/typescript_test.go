package desktop

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const typescriptFile = "../../frontend/src/lib/api.ts"

var update = flag.Bool("update", false, "rewrite the generated TypeScript")

// TestTypeScriptIsCurrent holds the page's types against the Go types that they
// are made from.
//
//	go test ./app/desktop -run TypeScript -update
func TestTypeScriptIsCurrent(t *testing.T) {
	want := typescript()
	if *update {
		if err := os.WriteFile(typescriptFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(typescriptFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is stale; run go test ./app/desktop -run TypeScript -update (-want +got)\n%s", typescriptFile, diff)
	}
}

// unions are the string types of which the page knows every value.
var unions = map[reflect.Type][]string{
	reflect.TypeFor[Gate](): {
		string(GateRuns), string(GateAsks), string(GateRefused), string(GateQuestion), string(GateDone), string(GateNone),
	},
}

// typescript renders the views that the API's methods and events reach, in the
// order in which they are met.
func typescript() string {
	g := generator{seen: map[reflect.Type]bool{}}
	api := reflect.TypeFor[*API]()
	var methods strings.Builder
	for m := range api.Methods() {
		methods.WriteString("  " + m.Name + "(" + g.params(m.Type) + "): Promise<" + g.result(m.Type) + ">;\n")
	}
	g.name(reflect.TypeFor[RunEvent]())
	g.name(reflect.TypeFor[Failure]())

	var b strings.Builder
	b.WriteString("// Generated from app/desktop by its test; do not edit.\n")
	b.WriteString("// go test ./app/desktop -run TypeScript -update\n\n")
	b.WriteString("export interface API {\n" + methods.String() + "}\n\n")
	b.WriteString("export interface Events {\n")
	fmt.Fprintf(&b, "  %s: RunEvent;\n  %s: void;\n}\n", EventRun, EventClose)
	for _, d := range g.declarations {
		b.WriteString("\n" + d)
	}
	return b.String()
}

type generator struct {
	seen         map[reflect.Type]bool
	declarations []string
}

func (g *generator) params(method reflect.Type) string {
	var out []string
	for i := 1; i < method.NumIn(); i++ { // 0 is the receiver
		out = append(out, fmt.Sprintf("arg%d: %s", i, g.name(method.In(i))))
	}
	return strings.Join(out, ", ")
}

func (g *generator) result(method reflect.Type) string {
	if method.NumOut() == 1 { // the error alone
		return "void"
	}
	return g.name(method.Out(0))
}

// name is t in TypeScript; a struct is declared when it is first met.
func (g *generator) name(t reflect.Type) string {
	if values, ok := unions[t]; ok {
		return "'" + strings.Join(values, "' | '") + "'"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
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
	b.WriteString("export interface " + t.Name() + " {\n")
	for i := range t.NumField() {
		f := t.Field(i)
		b.WriteString("  " + f.Tag.Get("json") + ": " + g.name(f.Type) + ";\n")
	}
	g.declarations[at] = b.String() + "}\n"
}
