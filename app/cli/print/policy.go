package print

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/app/grants"
	"errand/planner/message"
	"errand/policy"
)

// PrintURLCheck prints the decision about a URL, and with explain its steps.
func (s *Console) PrintURLCheck(c grants.URLCheck, explain bool) {
	s.Printf("%s  %s", paintVerdict(c.Verdict), c.URL)
	s.Printf("  %s — %s", c.Rule, c.Reason)
	if len(c.Addresses) > 0 {
		s.Print("cli.url_resolves_to", "addresses", c.Addresses)
	}
	if explain {
		s.printSteps(c.Steps)
	}
	if !c.Hint.IsZero() && (!explain || c.Change == nil || c.Rule != policy.RulePrivateAddress) { // where the line says the same
		s.Printf("  %s", c.Hint)
	}
	if explain {
		s.printChange(c.Change)
	}
}

func (s *Console) printSteps(steps []policy.Step) {
	for _, step := range steps {
		s.Printf("  · %s: %s — %s", message.New("cli.policy_step", "step", step.Name), verdictName(step.Verdict), step.Reason)
		for _, near := range step.Near {
			s.Print("cli.policy_near", "entry", near)
		}
	}
}

// printChange prints the line of the configuration that would change the verdict.
func (s *Console) printChange(c *grants.ConfigChange) {
	if c == nil {
		s.Print("cli.policy_no_change")
		return
	}
	s.Print("cli.policy_change", "verdict", verdictName(c.Verdict), "file", c.Location)
	for line := range strings.Lines(c.Text) {
		s.Printf("    %s", strings.TrimSuffix(line, "\n"))
	}
}

// formatArgs formats arguments in one line, like [Console.PrintAction].
func formatArgs(args map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		parts = append(parts, fmt.Sprintf("%s %v", name, args[name]))
	}
	return strings.Join(parts, "  ")
}

func paintVerdict(v policy.Verdict) ColoredText {
	return ColoredText{map[policy.Verdict]string{policy.Allow: Green, policy.Ask: Yellow, policy.Deny: Red}[v], verdictName(v)}
}

// verdictName returns a verdict for people.
func verdictName(v policy.Verdict) message.Message {
	return message.New("cli.verdict", "verdict", v)
}

// PrintCallCheck prints the decision for a tool call, with its steps.
func (s *Console) PrintCallCheck(c grants.CallCheck) {
	s.Printf("%s  %s", paintVerdict(c.Verdict), strings.TrimSpace(c.Tool+"  "+formatArgs(c.Args)))
	s.Printf("  %s — %s", c.Rule, c.Reason)
	if !c.Warning.IsZero() {
		s.Printf("  %s", ColoredText{Yellow, c.Warning})
	}
	s.printSteps(c.Steps)
	if !c.Hint.IsZero() {
		s.Printf("  %s", c.Hint)
	}
	s.printChange(c.Change)
}
