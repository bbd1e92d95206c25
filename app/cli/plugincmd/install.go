package plugincmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/app/i18n"
	"errand/app/plugins"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// installFlags are the flags of the commands that install something.
type installFlags struct {
	sha256  string
	keys    []string
	yes     bool
	wider   bool
	older   bool
	allowed []string
}

func (f *installFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.sha256, "sha256", "", "")
	c.Flags().StringArrayVar(&f.keys, "key", nil, "")
	c.Flags().BoolVar(&f.yes, "yes", false, "")
	c.Flags().BoolVar(&f.wider, "accept-wider", false, "")
	c.Flags().BoolVar(&f.older, "allow-downgrade", false, "")
	c.Flags().StringArrayVar(&f.allowed, "allow", nil, "")
}

func (s commands) installCommand() *cobra.Command {
	var f installFlags
	var grants []string
	var module moduleFlags
	c := s.AddJSONFlag(&cobra.Command{
		Use:  "install",
		Args: print.OneArg("cli_plugin.want_source", "cli_plugin.want_source_hint"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := plugins.Request{Source: args[0], SHA256: f.sha256}
			var err error
			if r.Module, err = module.request(cmd); err != nil {
				return err
			}
			if r.Module != nil && s.CanAsk && !s.JSON && !f.yes && !f.wider {
				r.Module.Choose = s.chooseReading
			}
			if r.Grants, err = parseGrants(grants); err != nil {
				return err
			}
			if r.Keys, err = readKeys(f.keys); err != nil {
				return err
			}
			app, err := s.Open(app.Options{Allow: f.allowed})
			if err != nil {
				return err
			}
			p, err := app.PluginInstaller().Propose(cmd.Context(), r)
			if err != nil {
				return err
			}
			done, err := s.agreeAndInstall(cmd.Context(), app, p, f)
			if err != nil {
				return err
			}
			if s.JSON {
				s.Document(done)
			}
			return nil
		},
	})
	f.add(c)
	module.add(c)
	c.Flags().StringArrayVar(&grants, "grant", nil, "")
	return c
}

// installation is the result of a proposal.
type installation struct {
	*plugins.Proposal
	Installed bool `json:"installed"` // false: it was installed already, or was not agreed to
}

// agreeAndInstall shows a plugin's rights, asks for what the flags don't give, and installs it.
func (s commands) agreeAndInstall(ctx context.Context, app *app.App, p *plugins.Proposal, f installFlags) (installation, error) {
	if whole, err := s.asItIs(ctx, app, p); whole || err != nil {
		return installation{p, false}, err
	}
	s.showProposal(p)
	agreed := plugins.Consent{Yes: f.yes || f.wider, Wider: f.wider, Downgrade: f.older}
	enough := agreed.Wider || agreed.Yes && !p.Widens || p.Downgrade && !f.older // no answer replaces that flag
	if !enough && s.CanAsk && !s.JSON {
		question := "cli_plugin.confirm_install"
		if p.InPlace {
			question = "cli_plugin.confirm_enable"
		}
		if p.Widens {
			question = "cli_plugin.confirm_wider"
		}
		line, err := s.ReadLine(ctx, question)
		if err != nil {
			return installation{p, false}, err
		}
		if !i18n.IsYes(line) {
			s.Say("cli_plugin.nothing_changed")
			s.Code = print.Cancelled
			return installation{p, false}, nil
		}
		agreed.Yes, agreed.Wider = true, true
	}
	if err := s.install(ctx, app, p, agreed); err != nil {
		return installation{p, false}, err
	}
	for _, host := range p.Unlisted {
		s.Say("cli_plugin.host_not_allowed", "note", note, "host", host, "plugin", p.ID)
	}
	switch {
	case s.JSON:
	case p.InPlace:
		s.Print("cli_plugin.switched", "state", "on", "plugin", p.ID)
	default:
		s.Printf("%s  %s %s", print.PaintMessage(print.Green, "cli_plugin.installed"), p.ID, p.Version)
	}
	return installation{p, true}, nil
}

// asItIs reports whether exactly this plugin is already installed and undamaged.
func (s commands) asItIs(ctx context.Context, app *app.App, p *plugins.Proposal) (bool, error) {
	if !p.Same || p.Regrants {
		return false, nil
	}
	held, err := app.Plugins().Verify(ctx, p.ID)
	if err != nil || len(held) != 1 || !held[0].OK {
		return false, err
	}
	if !s.JSON {
		s.Print("cli_plugin.installed_already", "plugin", p.ID, "version", p.Version)
	}
	return true, nil
}

// showProposal prints the rights that the user is asked to grant, on standard error.
func (s commands) showProposal(p *plugins.Proposal) {
	s.Sayf("%s  %.200s", print.Paint(print.Bold, p.ID+" "+p.Version), p.Description)
	labels := s.Cells("cli_plugin.label_from", "cli_plugin.label_module", "cli_plugin.label_author")
	s.Sayf("  %s  %s", labels[0], p.Source)
	s.Sayf("  %s  %s", labels[1], message.New("cli_plugin.sha256", "digest", p.Digest))
	s.Sayf("  %s  %s", labels[2], signedBy(p))
	switch {
	case p.Downgrade:
		s.Say("cli_plugin.is_downgrade", "downgrade", print.PaintMessage(print.Yellow, "cli_plugin.downgrade"), "version", p.Was)
	case p.Was != "":
		s.Say("cli_plugin.in_place_of", "version", p.Was)
	}
	for _, root := range p.Ungranted {
		s.Say("cli_plugin.root_not_granted", "note", note, "root", root)
	}
	if p.Was == "" || len(p.Changes) == 0 {
		s.Say("cli_plugin.what_it_may_do")
		for _, line := range p.Permissions {
			s.Sayf("  %s", line)
		}
		return
	}
	s.Say("cli_plugin.what_changes")
	for _, c := range p.Changes {
		if c.Widens {
			s.Sayf("  %s %s", print.PaintMessage(print.Yellow, "cli_plugin.more"), c.Text)
		} else {
			s.Sayf("  %s", c.Text)
		}
	}
}

// note begins an important line.
var note = print.PaintMessage(print.Yellow, "cli.note")

func signedBy(p *plugins.Proposal) message.Message {
	if p.Signature.Comment != "" {
		return message.New("cli_plugin.signed_by", "note", p.Signature.Note, "comment", p.Signature.Comment)
	}
	return p.Signature.Note
}

// install compiles a plugin and installs it. It prints a message if compiling takes more than a
// moment.
func (s commands) install(ctx context.Context, app *app.App, p *plugins.Proposal, agreed plugins.Consent) error {
	ctx, cancel := context.WithTimeout(ctx, 5*compileTime)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- app.PluginInstaller().Install(ctx, p, agreed) }() // ends with ctx
	began := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for said := false; ; said = true {
		select {
		case err := <-done:
			if said && s.ColorErr {
				fmt.Fprintln(s.Stderr)
			}
			return err
		case <-tick.C:
			if s.ColorErr {
				fmt.Fprint(s.Stderr, "\r"+s.Text("cli_plugin.compiling_since", "plugin", p.ID, "time", time.Since(began).Round(time.Second)))
			} else if !said {
				s.Note("cli_plugin.compiling", "plugin", p.ID)
			}
		}
	}
}

// parseGrants parses ROOT=FOLDER. A root that is an absolute path may stand alone, for the same
// folder.
func parseGrants(list []string) (map[string][]string, error) {
	grants := map[string][]string{}
	for _, text := range list {
		root, folder, ok := strings.Cut(text, "=")
		if !ok && filepath.IsAbs(text) {
			folder = text
		} else if !ok || root == "" || folder == "" {
			return nil, print.BadUsage("cli_plugin.bad_grant", "grant", text).Hint("cli_plugin.bad_grant_hint")
		}
		if rest, home := strings.CutPrefix(folder, "~/"); home {
			dir, err := os.UserHomeDir()
			if err != nil {
				return nil, print.BadUsage("cli_plugin.grant_error", "grant", text, "cause", err)
			}
			folder = filepath.Join(dir, rest)
		}
		folder, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(folder); err != nil {
			return nil, print.BadUsage("cli_plugin.grant_error", "grant", text, "cause", tool.FileFault(err)).Hint("cli_plugin.grant_error_hint")
		} else if !info.IsDir() {
			return nil, print.BadUsage("cli_plugin.grant_not_folder", "grant", text, "path", folder)
		}
		grants[root] = append(grants[root], folder)
	}
	return grants, nil
}

// maxKeyFile is the maximum size of a file with a key in bytes.
const maxKeyFile = 64 << 10

// readKeys reads keys, each given as a file or as text.
func readKeys(list []string) ([]string, error) {
	var keys []string
	for _, text := range list {
		b, err := realpath.ReadFile(text, maxKeyFile)
		switch {
		case err == nil:
			text = string(b)
		case !strings.HasPrefix(text, "RW"):
			return nil, print.BadUsage("cli.bad_flag", "flag", "key", "cause", tool.FileFault(err)).Hint("cli_plugin.bad_key_hint")
		}
		keys = append(keys, text)
	}
	return keys, nil
}
