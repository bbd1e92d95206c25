package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/drafts"
)

func (s draftCommands) editCommand() *cobra.Command {
	var drop []string
	c := &cobra.Command{
		Use:   "edit ID [ACTION KEY=VALUE…]",
		Short: "Change a draft before it is approved",
		Long: `Edit sets arguments of an action (KEY= removes one) or removes actions. A value is
text, or JSON where the argument is true or false, a number, a list or an object.
"~" in a path is your home folder. Errand checks the edited draft like a new plan,
and it waits for your approval.`,
		Example: `  errand edit 01k… a1 path=~/Documents/Archive
  errand edit 01k… a2 recursive=true
  errand edit 01k… --drop a3`,
		Args:              print.AtLeastOne("the id of a draft", "errand drafts lists those that wait"),
		ValidArgsFunction: s.completeDrafts,
		RunE: func(cmd *cobra.Command, args []string) error {
			r := drafts.EditRequest{ID: args[0], Drop: drop}
			said := map[string]string{}
			if len(args) > 1 {
				r.Action = args[1]
				for _, pair := range args[2:] {
					key, value, ok := strings.Cut(pair, "=")
					if !ok || key == "" {
						return print.Usagef("%q is not KEY=VALUE", pair).Hint("for example: path=~/Documents/Archive; KEY= removes the argument")
					}
					said[key] = value
				}
			}
			if len(said) == 0 && len(drop) == 0 {
				return print.Usagef("nothing to change").Hint("name an action with KEY=VALUE, or --drop one")
			}
			app, id, err := s.openFor(cmd.Context(), r.ID, resolveDraft, app.Options{})
			if err != nil {
				return err
			}
			r.ID = id
			if len(said) > 0 {
				params, err := paramsOf(cmd.Context(), app, r.ID, r.Action)
				if err != nil {
					return err
				}
				r.Set = map[string]any{}
				for key, value := range said {
					r.Set[key] = input.ReadValue(value, params[key], app.Config().Paths.Resolve)
				}
			}
			d, err := app.Edit(cmd.Context(), r)
			if err != nil {
				return err
			}
			s.ShowDraft(d)
			return nil
		},
	}
	s.AddJSONFlag(c)
	c.Flags().StringSliceVar(&drop, "drop", nil, "remove `ACTION` (may be repeated)")
	return c
}
