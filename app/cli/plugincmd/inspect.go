package plugincmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/plugins/author"
)

func (s *Shell) inspectCommand() *cobra.Command {
	var most int
	c := &cobra.Command{
		Use:   "inspect FILE.wasm | FOLDER | ID",
		Short: "Show the contents and needs of a module or plugin",
		Long: `Inspect reads a module without running it: its ABI, compiler, functions, imports and
size. For a folder or an installed plugin it also reports where plugin.toml and the
module do not match. If the module can't run, the exit code is that of a call.`,
		Args: print.OneArg("a module or a plugin's folder", "a .wasm file, or . for the folder that you are in"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 {
				return print.Usagef("--top %d is negative", most).Hint("0 shows none")
			}
			app, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			r, err := app.PluginKit().Report(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if r.Fault != nil {
				_, s.Code = print.TypedError(r.Fault)
			}
			if s.JSON {
				s.Document(r)
				return nil
			}
			s.printReport(r, most)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().IntVar(&most, "top", 8, "show the `N` biggest functions")
	return c
}

// printReport says of a module what it is, what it offers, what it asks for
// and where its bytes are.
func (s *Shell) printReport(r author.Report, most int) {
	rows := [][]string{
		{"abi", string(r.ABI)},
		{"size", fmt.Sprintf("%d bytes", r.Size)},
		{"sha256", r.SHA256},
	}
	if r.Name != "" {
		rows = append(rows, []string{"name", r.Name})
	}
	for _, p := range r.Toolchain {
		rows = append(rows, []string{"made with", p})
	}
	if m := r.Memory; m != nil {
		text := print.FormatBytes(m.Min)
		if m.Max > 0 {
			text += ", at most " + print.FormatBytes(m.Max)
		}
		rows = append(rows, []string{"memory", text})
	}
	switch {
	case r.Problem != "" || r.Fault != nil:
	case r.Held != "":
		rows = append(rows, []string{"state", "each call needs a new instance: " + r.Held})
	default:
		rows = append(rows, []string{"state", "can be put back after each call"})
	}
	if r.Problem != "" {
		rows = append(rows, []string{"problem", r.Problem}, []string{"cure", r.Cure})
	}
	if r.Fault != nil && (r.Problem == "" || !strings.HasSuffix(r.Fault.Message, r.Problem)) {
		rows = append(rows, []string{"problem", r.Fault.Message}, []string{"cure", r.Fault.Hint})
	}
	s.Columns(rows)
	s.printOffers(r)
	s.printProfile(r.Profile, most)
}

// printOffers shows what a module offers and asks for.
func (s *Shell) printOffers(r author.Report) {
	var functions [][]string
	for _, e := range r.Exports {
		if e.Kind == "func" {
			row := []string{"  " + e.Name, e.Type}
			if !e.Entry() {
				row = append(row, "no entry: it takes or answers values")
			}
			functions = append(functions, row)
		}
	}
	if len(functions) > 0 {
		s.Print("\nfunctions")
		s.Columns(functions)
	}
	s.Print("\nneeds  %s", dash(r.Needs))
	s.printImports(r.Imports)
	if len(r.Asks) > 0 {
		var rows [][]string
		for _, a := range r.Asks {
			rows = append(rows, []string{"  " + a.Line, a.Why})
		}
		s.Print("\nin plugin.toml")
		s.Columns(rows)
	}
	for _, what := range r.Unused {
		s.Print("  asked for in vain: %s", what)
	}
}

// printImports prints the imports of a module by their source, and marks those that
// the host does not offer.
func (s *Shell) printImports(imports []author.Import) {
	rows := map[string][][]string{}
	for _, i := range imports {
		what := i.Type
		if i.Kind != "func" {
			what = i.Kind
		}
		row := []string{"  " + i.Name, what}
		if i.Fault != "" {
			row = append(row, i.Fault)
		}
		rows[i.Module] = append(rows[i.Module], row)
	}
	for _, module := range slices.Sorted(maps.Keys(rows)) {
		s.Print("\nimports from %s", module)
		s.Columns(rows[module])
	}
}

func (s *Shell) printProfile(p author.Profile, most int) {
	if len(p.Sections) == 0 {
		return
	}
	rows := [][]string{}
	for _, part := range p.Sections {
		rows = append(rows, []string{"  " + part.Name, fmt.Sprint(part.Size)})
	}
	s.Print("\nbytes by section")
	s.Columns(rows)
	if p.Debug > 0 {
		s.Print("  %d of them only lead to source lines; errand plugin build leaves them out", p.Debug)
	}
	if len(p.Functions) == 0 || most <= 0 {
		return
	}
	rows = rows[:0]
	for _, f := range p.Functions[:min(most, len(p.Functions))] {
		rows = append(rows, []string{"  " + f.Name, fmt.Sprint(f.Size)})
	}
	s.Print("\nbiggest of %d functions", len(p.Functions))
	s.Columns(rows)
	if !p.Named {
		s.Print("  it has no names: a stack of it would be numbers")
	}
}
