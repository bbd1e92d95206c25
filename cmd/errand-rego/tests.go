package main

import (
	"context"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
)

// testTime is how long one test may take.
const testTime = 5 * time.Second

// testResult is the outcome of one test: "pass", "fail", "error" or "skip".
type testResult struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Outcome string `json:"outcome"`
	Message string `json:"message,omitempty"`
	Output  string `json:"output,omitempty"` // what the test printed
}

// runTests runs the rules whose name begins with "test_".
func runTests(ctx context.Context, r request) (answer, error) {
	modules, problems := parse(r.Files, true)
	if len(problems) > 0 {
		return answer{Problems: problems}, nil
	}
	allowed := capabilities()
	compiler := ast.NewCompiler().WithCapabilities(printing(allowed)).WithEnablePrintStatements(true)
	runner := tester.NewRunner().SetCompiler(compiler).SetModules(modules).CapturePrintOutput(true).
		RaiseBuiltinErrors(false).SetTimeout(testTime).SetDefaultRegoVersion(ast.RegoV1)
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return answer{Problems: problemsOf(err)}, nil
	}
	var a answer
	for result := range results {
		t := testResult{Package: result.Package, Name: result.Name, Outcome: "pass", Output: string(result.Output)}
		if result.Location != nil {
			t.File, t.Line = result.Location.File, result.Location.Row
		}
		switch {
		case result.Error != nil:
			t.Outcome, t.Message = "error", result.Error.Error()
		case result.Skip:
			t.Outcome = "skip"
		case result.Fail:
			t.Outcome = "fail"
		}
		a.Tests = append(a.Tests, t)
	}
	return a, nil
}

// printing allows print as well, whose text a test's result carries.
func printing(c *ast.Capabilities) *ast.Capabilities {
	c.Builtins = append(c.Builtins, ast.Print, ast.InternalPrint)
	return c
}
