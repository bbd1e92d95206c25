package policycmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/rego"
	"errand/planner/message"
)

func (s commands) testCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use: "test",
		RunE: func(cmd *cobra.Command, args []string) error {
			var files []config.RegoFile
			for _, arg := range args {
				read, err := config.ReadRego(filepath.ToSlash(arg))
				if err != nil {
					return err
				}
				files = append(files, read...)
			}
			var results []rego.TestResult
			var faults []rego.Fault
			var err error
			if len(files) > 0 {
				results, faults, err = rego.FindCompiler(s.Env).Test(cmd.Context(), files)
			} else {
				var opened *app.App
				if opened, err = s.Open(app.Options{}); err != nil {
					return err
				}
				results, faults, err = opened.TestPolicies(cmd.Context())
			}
			if err != nil {
				return err
			}
			return s.printTests(results, faults)
		},
	})
}

func (s commands) printTests(results []rego.TestResult, faults []rego.Fault) error {
	if len(faults) > 0 {
		var problems config.Problems
		for _, f := range faults {
			problems = append(problems, config.Problem{Source: f.File, Line: f.Line, Message: message.Verbatim(f.Message)})
		}
		return problems
	}
	if len(results) == 0 {
		return print.BadUsage("cli.no_policy_tests").Hint("cli.no_policy_tests_hint")
	}
	passed := 0
	for _, r := range results {
		switch r.Outcome {
		case "pass":
			passed++
		case "skip":
		default:
			s.Code = print.Failed
		}
	}
	return s.Show(map[string]any{"tests": results, "passed": passed}, func() {
		for _, r := range results {
			s.Print("cli.policy_test", "outcome", r.Outcome, "test", r.Package+"."+r.Name, "file", r.File, "line", r.Line)
			if r.Message != "" {
				s.Print("cli.policy_test_detail", "text", r.Message)
			}
			if r.Output != "" && r.Outcome != "pass" {
				s.Print("cli.policy_test_detail", "text", r.Output)
			}
		}
		s.Print("cli.policy_tests", "passed", passed, "all", len(results))
	})
}
