package mcpcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/servers"
	"errand/host/tool"
	"errand/planner/message"
)

// reviewFlags give what a review would ask for.
type reviewFlags struct {
	yes     bool
	reading []string
}

func (f *reviewFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.yes, "yes", false, "")
	c.Flags().StringSliceVar(&f.reading, "reading", nil, "")
}

// reviewCommand asks the user to agree to a server and to the definitions of its tools.
func (s commands) reviewCommand() *cobra.Command {
	var f reviewFlags
	c := s.AddJSONFlag(&cobra.Command{
		Use:               "review",
		Args:              print.OneArg("cli_mcp.want_server", "cli_mcp.see_servers"),
		ValidArgsFunction: s.completeServers,
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			return s.review(cmd.Context(), a, args[0], f, cmd.Flags().Changed("reading"))
		},
	})
	f.add(c)
	return c
}

// reviewed is the result of a review.
type reviewed struct {
	*servers.Review
	Agreed bool `json:"agreed"`
}

func (s commands) review(ctx context.Context, a *app.App, name string, f reviewFlags, marks bool) error {
	r, err := a.Servers().Review(ctx, name)
	if err != nil {
		return err
	}
	if r.IsSame() && !marks {
		return s.Show(reviewed{r, true}, func() { s.Print("cli_mcp.same", "server", name, "tools", len(r.Tools)) })
	}
	if !s.JSON {
		s.showReview(r)
	}
	reading := f.reading
	if !marks {
		reading = r.Reading()
	}
	switch {
	case f.yes:
	case !s.CanAsk || s.JSON:
		s.Code = print.NeedsApproval
		if s.JSON {
			s.Document(reviewed{r, false})
			return nil
		}
		s.Say("cli_mcp.not_agreed", "server", name)
		return nil
	default:
		agreed, chosen, err := s.askAgreement(ctx, r, reading, marks)
		if err != nil {
			return err
		}
		if !agreed {
			s.Say("cli_mcp.nothing_changed")
			s.Code = print.Cancelled
			return nil
		}
		reading = chosen
	}
	if err := a.Servers().Agree(r, reading); err != nil {
		return err
	}
	return s.Show(reviewed{r, true}, func() { s.Print("cli_mcp.agreed", "server", name, "tools", len(r.Tools)) })
}

// askAgreement asks which tools only read, and for agreement.
func (s commands) askAgreement(ctx context.Context, r *servers.Review, reading []string, marks bool) (bool, []string, error) {
	if !marks {
		line, err := s.ReadLine(ctx, "cli_mcp.choose_reading")
		if err != nil {
			return false, nil, err
		}
		reading = append(reading, strings.FieldsFunc(line, func(c rune) bool { return c == ',' || c == ' ' })...)
	}
	line, err := s.ReadLine(ctx, "cli_mcp.confirm")
	return err == nil && i18n.IsYes(line), reading, err
}

// showReview prints what the user is asked to agree to, on standard error.
func (s commands) showReview(r *servers.Review) {
	s.Say("cli_mcp.review_head", "server", r.Server, "first", r.First)
	if r.First || r.AccessChanged {
		if r.AccessChanged {
			s.Say("cli_mcp.access_changed")
		}
		for _, line := range r.Access {
			s.Sayf("  %s", line)
		}
	}
	for _, t := range r.Tools {
		if t.State == servers.ToolSame && !r.First {
			continue
		}
		s.Say("cli_mcp.reviewed_tool", "tool", t.Name, "state", string(t.State), "claims", t.ClaimsReadOnly, "description", t.Description)
		for _, line := range t.Diff {
			switch {
			case strings.HasPrefix(line, "- "):
				s.Sayf("    %s", print.Paint(print.Red, line))
			case strings.HasPrefix(line, "+ "):
				s.Sayf("    %s", print.Paint(print.Green, line))
			default:
				s.Sayf("    %s", line)
			}
		}
	}
}

// addCommand writes a server into errand.toml and reviews it.
func (s commands) addCommand() *cobra.Command {
	var f reviewFlags
	var url string
	var entry config.ToolServer
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "add",
		Args: print.AtLeastOne("cli_mcp.want_server_name", "cli_mcp.see_add_help"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			entry.URL, entry.Command = url, args[1:]
			if (url == "") == (len(entry.Command) == 0) {
				return print.BadUsage("cli_mcp.command_or_url").Hint("cli_mcp.see_add_help")
			}
			conf, err := s.Load()
			if err != nil {
				return err
			}
			if _, is := conf.MCP.Servers[name]; is {
				return tool.NewError(tool.ValidationError, "server_twice", message.New("cli_mcp.server_twice", "server", name, "file", conf.Paths.File)).
					WithHint(message.New("mcp.review_hint", "server", name))
			}
			text, err := entry.TOML(name)
			if err != nil {
				return err
			}
			if err := config.Change(config.Options{File: s.ConfigFile, Env: s.Env, Work: s.Work}, config.Edit{Append: text}); err != nil {
				return err
			}
			s.Note("cli_mcp.added", "server", name, "file", conf.Paths.File)
			a, err := s.Open(app.Options{})
			if err != nil {
				return err
			}
			return s.review(cmd.Context(), a, name, f, cmd.Flags().Changed("reading"))
		},
	})
	f.add(c)
	c.Flags().StringVar(&url, "url", "", "")
	c.Flags().StringSliceVar(&entry.Env, "env", nil, "")
	c.Flags().StringSliceVar(&entry.Folders, "folder", nil, "")
	c.Flags().BoolVar(&entry.Network, "network", false, "")
	c.Flags().StringToStringVar(&entry.HeaderEnv, "header", nil, "")
	return c
}
