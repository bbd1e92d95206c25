package main

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/compile"
)

// builtinNames are the built-in functions that a policy may call: those that only compute, and
// whose answer depends on nothing but their arguments.
//
//go:embed builtins.txt
var builtinNames string

// capabilities allows the functions in builtins.txt, and nothing that reaches the outside.
func capabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	allowed := strings.Fields(builtinNames)
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool { return !slices.Contains(allowed, b.Name) })
	c.AllowNet = []string{}
	return c
}

// compileWasm compiles the files to one WebAssembly module.
func compileWasm(ctx context.Context, r request) (answer, error) {
	modules, problems := parse(r.Files, false)
	if len(problems) > 0 {
		return answer{Problems: problems}, nil
	}
	// The files are checked as they were written, so that an error names nothing that was added.
	if problems := check(modules); len(problems) > 0 {
		return answer{Problems: problems}, nil
	}
	entry := r.Entry
	if entry == "" {
		entry = verdictEntry
		if problems := addVerdict(modules); len(problems) > 0 {
			return answer{Problems: problems}, nil
		}
	}
	b := &bundle.Bundle{Data: map[string]any{}}
	b.Manifest.Init()
	for name, m := range modules {
		b.Modules = append(b.Modules, bundle.ModuleFile{URL: name, Path: name, Parsed: m, Raw: []byte(m.String())})
	}
	slices.SortFunc(b.Modules, func(x, y bundle.ModuleFile) int { return strings.Compare(x.Path, y.Path) })
	c := compile.New().WithBundle(b).WithTarget(compile.TargetWasm).WithEntrypoints(entry).WithCapabilities(capabilities()).WithRegoVersion(ast.RegoV1)
	if err := c.Build(ctx); err != nil {
		return answer{Problems: problemsOf(err)}, nil
	}
	return answer{Wasm: c.Bundle().WasmModules[0].Raw}, nil
}

// check finds the errors that compiling finds.
func check(modules map[string]*ast.Module) []problem {
	copies := map[string]*ast.Module{}
	for name, m := range modules {
		copies[name] = m.Copy()
	}
	c := ast.NewCompiler().WithCapabilities(capabilities())
	if c.Compile(copies); c.Failed() {
		return problemsOf(c.Errors)
	}
	return nil
}
