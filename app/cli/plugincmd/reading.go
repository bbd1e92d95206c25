package plugincmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"errand/app/plugins"
)

// readingFlag names the tools that the user marks as read-only.
type readingFlag []string

func (f *readingFlag) add(c *cobra.Command) {
	c.Flags().StringSliceVar((*[]string)(f), "reading", nil, "")
}

// names returns nil without the flag, and an empty list for an empty flag.
func (f *readingFlag) names(c *cobra.Command) []string {
	if !c.Flags().Changed("reading") {
		return nil
	}
	return append([]string{}, *f...)
}

// chooseReading lists the tools of a module and asks which of them are read-only, if the module
// does not say.
func (s commands) chooseReading(ctx context.Context, tools []plugins.ModuleTool) ([]string, error) {
	s.Say("cli_plugin.tools_of_module")
	for _, t := range tools {
		class := "changes"
		switch {
		case t.Reads:
			class = "reads"
		case !t.Declared:
			class = "unknown"
		}
		s.Say("cli_plugin.tool_of_module", "tool", t.Name, "class", class, "description", t.Description)
	}
	line, err := s.ReadLine(ctx, "cli_plugin.choose_reading")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }), nil
}
