package plugincmd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
	"errand/planner/message"
)

func (s commands) inspectCommand() *cobra.Command {
	var most int
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "inspect",
		Args: print.OneArg("cli_plugin.want_module_or_folder", "cli_plugin.want_module_or_folder_hint"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 {
				return print.BadUsage("cli.negative", "flag", "--top", "number", most).Hint("cli_plugin.top_hint")
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			r, err := app.PluginKit().Report(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if r.Error != nil {
				_, s.Code = print.TypedError(r.Error)
			}
			return s.Show(r, func() { s.printReport(r, most) })
		},
	})
	c.Flags().IntVar(&most, "top", 8, "")
	return c
}

// printReport prints a module's format, its exports and imports, and the sizes of its parts.
func (s commands) printReport(r author.Report, most int) {
	rows := [][]string{
		{"abi", string(r.ABI)},
		{s.Text("cli_plugin.size"), s.Text("cli.bytes", "count", r.Size)},
		{"sha256", r.SHA256},
	}
	if r.Name != "" {
		rows = append(rows, []string{s.Text("cli_plugin.name"), r.Name})
	}
	for _, p := range r.Toolchain {
		rows = append(rows, []string{s.Text("cli_plugin.made_with"), p})
	}
	if m := r.Memory; m != nil {
		text := s.Text("cli.size", "size", m.Min)
		if m.Max > 0 {
			text = s.Text("cli_plugin.memory_at_most", "size", m.Min, "limit", m.Max)
		}
		rows = append(rows, []string{s.Text("cli_plugin.memory"), text})
	}
	switch {
	case !r.Problem.IsZero() || r.Error != nil:
	case !r.NewInstance.IsZero():
		rows = append(rows, []string{s.Text("cli_plugin.state"), s.Text("cli_plugin.new_instance", "reason", r.NewInstance)})
	default:
		rows = append(rows, []string{s.Text("cli_plugin.state"), s.Text("cli_plugin.state_restorable")})
	}
	if !r.Problem.IsZero() {
		rows = append(rows, s.problem(r.Problem, r.Cure)...)
	}
	if r.Error != nil && (r.Problem.IsZero() || !contains(r.Error.Message, r.Problem)) {
		rows = append(rows, s.problem(r.Error.Message, r.Error.Hint)...)
	}
	s.Columns(rows)
	s.printOffers(r)
	s.printProfile(r.Profile, most)
}

// problem returns rows with a module's error and what to do.
func (s commands) problem(what, cure message.Message) [][]string {
	return [][]string{{s.Text("cli_plugin.problem"), s.TextOf(what)}, {s.Text("cli_plugin.cure"), s.TextOf(cure)}}
}

// contains reports whether a message is another one or has it as a parameter.
func contains(m, other message.Message) bool {
	if m.Equal(other) {
		return true
	}
	for _, v := range m.Params {
		if inner, ok := v.(message.Message); ok && contains(inner, other) {
			return true
		}
	}
	return false
}

// printOffers prints a module's functions and what it needs.
func (s commands) printOffers(r author.Report) {
	var functions [][]string
	for _, e := range r.Exports {
		if e.Kind == "func" {
			row := []string{"  " + e.Name, e.Type}
			if !e.Entry() {
				row = append(row, s.Text("cli_plugin.not_an_entry"))
			}
			functions = append(functions, row)
		}
	}
	if len(functions) > 0 {
		s.Print("cli_plugin.functions")
		s.Columns(functions)
	}
	s.Print("cli_plugin.needs", "what", dash(r.Needs))
	s.printImports(r.Imports)
	if len(r.Asks) > 0 {
		var rows [][]string
		for _, a := range r.Asks {
			rows = append(rows, []string{"  " + a.Line, s.TextOf(a.Why)})
		}
		s.Print("cli_plugin.in_manifest")
		s.Columns(rows)
	}
	for _, what := range r.Unused {
		s.Print("cli_plugin.asked_in_vain", "what", what)
	}
}

// printImports prints the imports of a module by their source, and marks those that
// the host does not offer.
func (s commands) printImports(imports []author.Import) {
	rows := map[string][][]string{}
	for _, i := range imports {
		what := i.Type
		if i.Kind != "func" {
			what = i.Kind
		}
		row := []string{"  " + i.Name, what}
		if !i.Fault.IsZero() {
			row = append(row, s.TextOf(i.Fault))
		}
		rows[i.Module] = append(rows[i.Module], row)
	}
	for _, module := range slices.Sorted(maps.Keys(rows)) {
		s.Print("cli_plugin.imports_from", "module", module)
		s.Columns(rows[module])
	}
}

func (s commands) printProfile(p author.Profile, most int) {
	if len(p.Sections) == 0 {
		return
	}
	rows := [][]string{}
	for _, part := range p.Sections {
		rows = append(rows, []string{"  " + part.Name, fmt.Sprint(part.Size)})
	}
	s.Print("cli_plugin.bytes_by_section")
	s.Columns(rows)
	if p.Debug > 0 {
		s.Print("cli_plugin.debug_bytes", "count", p.Debug)
	}
	if len(p.Functions) == 0 || most <= 0 {
		return
	}
	rows = rows[:0]
	for _, f := range p.Functions[:min(most, len(p.Functions))] {
		rows = append(rows, []string{"  " + f.Name, fmt.Sprint(f.Size)})
	}
	s.Print("cli_plugin.biggest_functions", "count", len(p.Functions))
	s.Columns(rows)
	if !p.Named {
		s.Print("cli_plugin.no_names")
	}
}
