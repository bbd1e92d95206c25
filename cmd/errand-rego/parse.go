package main

import (
	"errors"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// testSuffix marks files with tests, which are no part of a policy.
const testSuffix = "_test.rego"

// parse parses the files. Files with tests are left out unless tests is true.
func parse(files []file, tests bool) (modules map[string]*ast.Module, problems []problem) {
	modules = map[string]*ast.Module{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, testSuffix) && !tests {
			continue
		}
		m, err := ast.ParseModuleWithOpts(f.Name, f.Text, ast.ParserOptions{RegoVersion: ast.RegoV1})
		switch {
		case err != nil:
			problems = append(problems, problemsOf(err)...)
		case m == nil:
			problems = append(problems, problem{File: f.Name, Message: "the file is empty"})
		default:
			modules[f.Name] = m
		}
	}
	return modules, problems
}

// problemsOf takes an error of OPA apart.
func problemsOf(err error) []problem {
	var many ast.Errors
	if !errors.As(err, &many) {
		var one *ast.Error
		if !errors.As(err, &one) {
			return []problem{{Message: err.Error()}}
		}
		many = ast.Errors{one}
	}
	problems := make([]problem, len(many))
	for i, e := range many {
		problems[i] = problem{Message: message(e)}
		if e.Location != nil {
			problems[i].File, problems[i].Line, problems[i].Column = e.Location.File, e.Location.Row, e.Location.Col
		}
	}
	return problems
}

// message is the text of an error. A built-in function that exists in Rego, but isn't allowed
// here, is named as that.
func message(e *ast.Error) string {
	if name, ok := strings.CutPrefix(e.Message, "undefined function "); ok && ast.BuiltinMap[name] != nil {
		return "the built-in function " + name + " is not allowed: a policy may only compute"
	}
	return e.Message
}
