package policycmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/config/policyfile"
	"errand/app/rego"
	"errand/planner/message"
)

func (s commands) testCommand() *cobra.Command {
	return s.AddJSONFlag(&cobra.Command{
		Use: "test",
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := s.policyFiles(args)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return print.BadUsage("cli.no_policy_tests").Hint("cli.no_policy_tests_hint")
			}
			results, problems, err := rego.FindCompiler(s.Env).Test(cmd.Context(), files)
			if err != nil {
				return err
			}
			return s.printTests(results, problems)
		},
	})
}

// policyFiles reads the files and folders that are named, else those of the configuration.
func (s commands) policyFiles(args []string) ([]policyfile.File, error) {
	if len(args) == 0 {
		opened, err := s.Open(app.Options{})
		if err != nil {
			return nil, err
		}
		return opened.Config().Rego, nil
	}
	var files []policyfile.File
	for _, arg := range args {
		read, err := policyfile.Read(filepath.FromSlash(arg), ".", nil) // tests decide nothing
		if err != nil {
			return nil, config.Problems{{Source: arg, Message: message.FromError(err)}}
		}
		files = append(files, read...)
	}
	return files, nil
}

func (s commands) printTests(results []rego.TestResult, problems []rego.Problem) error {
	if len(problems) > 0 {
		var all config.Problems
		for _, p := range problems {
			all = append(all, config.Problem{Source: p.File, Line: p.Line, Message: message.Verbatim(p.Message)})
		}
		return all
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
			for _, text := range []string{r.Message, r.Output} {
				if text != "" && r.Outcome != "pass" {
					s.Print("cli.policy_test_detail", "text", text)
				}
			}
		}
		s.Print("cli.policy_tests", "passed", passed, "all", len(results))
	})
}
