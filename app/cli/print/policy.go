package print

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/app/grants"
	"errand/policy"
)

// PrintURLCheck prints the decision for a URL, and with explain its steps.
func (s *Console) PrintURLCheck(c grants.URLCheck, explain bool) {
	s.Print("%s  %s", paintVerdict(c.Verdict), c.URL)
	s.Print("  %s — %s", c.Rule, c.Reason)
	if len(c.Addresses) > 0 {
		s.Print("  resolves to %s", strings.Join(c.Addresses, ", "))
	}
	if explain {
		s.printSteps(c.Steps)
	}
	if c.Hint != "" && (!explain || c.Change == nil || c.Rule != policy.RulePrivateAddress) { // where the line says the same
		s.Print("  %s", c.Hint)
	}
	if explain {
		s.printChange(c.Change)
	}
}

func (s *Console) printSteps(steps []policy.Step) {
	for _, step := range steps {
		s.Print("  · %s: %s — %s", step.Name, step.Verdict, step.Reason)
		for _, near := range step.Near {
			s.Print("      nearly: %s", near)
		}
	}
}

// printChange prints the line of the config that would change the verdict.
func (s *Console) printChange(c *grants.ConfigChange) {
	if c == nil {
		s.Print("  no single line of the config changes this")
		return
	}
	s.Print("  to make it %s, in %s:", c.Verdict, c.Where)
	for line := range strings.Lines(c.Text) {
		s.Print("    %s", strings.TrimSuffix(line, "\n"))
	}
}

// formatArgs is arguments in one line, as [shell.action] prints them.
func formatArgs(args map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		parts = append(parts, fmt.Sprintf("%s %v", name, args[name]))
	}
	return strings.Join(parts, "  ")
}

func paintVerdict(v policy.Verdict) Painted {
	return Paint(map[policy.Verdict]string{policy.Allow: Green, policy.Ask: Yellow, policy.Deny: Red}[v], v.String())
}

// PrintCallCheck prints the decision for a tool call, with its steps.
func (s *Console) PrintCallCheck(c grants.CallCheck) {
	s.Print("%s  %s", paintVerdict(c.Verdict), strings.TrimSpace(c.Tool+"  "+formatArgs(c.Args)))
	s.Print("  %s — %s", c.Rule, c.Reason)
	s.printSteps(c.Steps)
	if c.Hint != "" {
		s.Print("  %s", c.Hint)
	}
	s.printChange(c.Change)
}
