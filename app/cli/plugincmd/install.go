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
	"errand/app/plugins"
	"errand/host/tool"
)

// installFlags are what the commands share that install something.
type installFlags struct {
	sha256  string
	keys    []string
	yes     bool
	wider   bool
	allowed []string
}

func (f *installFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.sha256, "sha256", "", "the expected `DIGEST` of the file; required for an https URL")
	c.Flags().StringArrayVar(&f.keys, "key", nil, "also trust this minisign public `KEY`, or file with one; may be repeated")
	c.Flags().BoolVar(&f.yes, "yes", false, "accept the permissions, unless they are wider than before")
	c.Flags().BoolVar(&f.wider, "accept-wider", false, "accept the permissions, even if they are wider than before")
	c.Flags().StringArrayVar(&f.allowed, "allow", nil, "allow the download from `HOST` (a pattern); may be repeated")
}

func (s *Shell) installCommand() *cobra.Command {
	var f installFlags
	var grants []string
	var module moduleFlags
	c := &cobra.Command{
		Use:   "install SOURCE",
		Short: "Install a plugin from a folder, module, archive or https URL",
		Long: `Install shows the permissions of a plugin, asks you, and installs it. SOURCE is a
folder with a plugin.toml, the module beside it, an archive of both (.tar.gz or .zip),
or the https URL of an archive, which needs --sha256. A hyper-mcp module needs no
plugin.toml: use --abi hyper-mcp --id NAME.

Errand writes the permissions and the digests of the files to plugins.lock. If a newer
version needs wider permissions, Errand shows the difference; accept it with
--accept-wider instead of --yes.`,
		Example: `  errand plugin install ./weather
  errand plugin install weather-1.2.0.tar.gz --key minisign.pub
  errand plugin install https://plugins.example.org/weather-1.2.0.tar.gz --sha256 DIGEST --allow plugins.example.org
  errand plugin install ./inbox --grant inbox=~/Inbox
  errand plugin install time.wasm --abi hyper-mcp --id time`,
		Args: print.OneArg("a plugin", "a folder, a module, an archive or an https URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := plugins.Request{Source: args[0], SHA256: f.sha256}
			var err error
			if r.Module, err = module.request(); err != nil {
				return err
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
	}
	s.AddJSONFlag(c)
	f.add(c)
	module.add(c)
	c.Flags().StringArrayVar(&grants, "grant", nil, "give the plugin a folder for a root of its manifest, `ROOT=FOLDER`; may be repeated")
	return c
}

// installation is the result of a proposal.
type installation struct {
	*plugins.Proposal
	Installed bool `json:"installed"` // false: it was installed already, or was not agreed to
}

// agreeAndInstall shows what a plugin may do, asks for what the flags don't say,
// and installs it.
func (s *Shell) agreeAndInstall(ctx context.Context, app *app.App, p *plugins.Proposal, f installFlags) (installation, error) {
	if whole, err := s.asItIs(ctx, app, p); whole || err != nil {
		return installation{p, false}, err
	}
	s.showProposal(p)
	agreed := plugins.Consent{Yes: f.yes || f.wider, Wider: f.wider}
	enough := agreed.Wider || agreed.Yes && !p.Widens
	if !enough && s.CanAsk && !s.JSON {
		question := "install it? [y/N] "
		if p.Widens {
			question = "it may do more than before; install it? [y/N] "
		}
		line, err := s.ReadLine(ctx, question)
		if err != nil {
			return installation{p, false}, err
		}
		if !print.IsYes(line) {
			s.Say("nothing was changed")
			s.Code = print.Denied
			return installation{p, false}, nil
		}
		agreed = plugins.Consent{Yes: true, Wider: true}
	}
	if err := s.install(ctx, app, p, agreed); err != nil {
		return installation{p, false}, err
	}
	for _, host := range p.Unlisted {
		s.Say("%s your config doesn't let it reach %s: errand policy allow %s --for always --plugin %s", print.Paint(print.Yellow, "note:"), host, host, p.ID)
	}
	if !s.JSON {
		s.Print("%s  %s %s", print.Paint(print.Green, "installed"), p.ID, p.Version)
	}
	return installation{p, true}, nil
}

// asItIs reports whether the very plugin is installed already, and whole.
func (s *Shell) asItIs(ctx context.Context, app *app.App, p *plugins.Proposal) (bool, error) {
	if !p.Same || p.Regrants {
		return false, nil
	}
	held, err := app.Plugins().Verify(ctx, p.ID)
	if err != nil || len(held) != 1 || !held[0].OK {
		return false, err
	}
	if !s.JSON {
		s.Print("%s %s is installed already, as it is", p.ID, p.Version)
	}
	return true, nil
}

// showProposal says on standard error what a person is asked to agree to.
func (s *Shell) showProposal(p *plugins.Proposal) {
	s.Say("%s  %.200s", print.Paint(print.Bold, p.ID+" "+p.Version), p.Description)
	s.Say("  from    %s", p.Source)
	s.Say("  module  sha256 %s", p.Digest)
	s.Say("  author  %s", signedBy(p))
	switch {
	case p.Downgrade:
		s.Say("  %s %s is installed, which is newer", print.Paint(print.Yellow, "downgrade:"), p.Was)
	case p.Was != "":
		s.Say("  in place of %s", p.Was)
	}
	for _, root := range p.Ungranted {
		s.Say("  %s no folder stands for %s: --grant %s=FOLDER", print.Paint(print.Yellow, "note:"), root, root)
	}
	if p.Was == "" || len(p.Changes) == 0 {
		s.Say("what it may do")
		for _, line := range p.Permissions {
			s.Say("  %s", line)
		}
		return
	}
	s.Say("what changes")
	for _, c := range p.Changes {
		if c.Widens {
			s.Say("  %s %s", print.Paint(print.Yellow, "more:"), c.Text)
		} else {
			s.Say("  %s", c.Text)
		}
	}
}

func signedBy(p *plugins.Proposal) string {
	if p.Signature.Comment != "" {
		return fmt.Sprintf("%s: %s", p.Signature.Note, p.Signature.Comment)
	}
	return p.Signature.Note
}

// install has a plugin compiled and put in its place, and says that it compiles
// where that takes more than a moment.
func (s *Shell) install(ctx context.Context, app *app.App, p *plugins.Proposal, agreed plugins.Consent) error {
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
				fmt.Fprintf(s.Stderr, "\rcompiling %s… %.0f s", p.ID, time.Since(began).Seconds())
			} else if !said {
				s.Note("compiling %s…", p.ID)
			}
		}
	}
}

// parseGrants reads ROOT=FOLDER. A root that is an absolute path may be
// the folder as well.
func parseGrants(list []string) (map[string][]string, error) {
	grants := map[string][]string{}
	for _, text := range list {
		root, folder, ok := strings.Cut(text, "=")
		if !ok && filepath.IsAbs(text) {
			folder = text
		} else if !ok || root == "" || folder == "" {
			return nil, print.Usagef("--grant %q is not ROOT=FOLDER", text).Hint("ROOT is what the plugin's manifest says in [[paths]]")
		}
		if rest, home := strings.CutPrefix(folder, "~/"); home {
			dir, err := os.UserHomeDir()
			if err != nil {
				return nil, print.Usagef("--grant %q: %v", text, err)
			}
			folder = filepath.Join(dir, rest)
		}
		folder, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(folder); err != nil {
			return nil, print.Usagef("--grant %q: %s", text, tool.FileFault(err)).Hint("name a folder that exists")
		} else if !info.IsDir() {
			return nil, print.Usagef("--grant %q: %s is not a folder", text, folder)
		}
		grants[root] = append(grants[root], folder)
	}
	return grants, nil
}

// readKeys reads keys that are given as files or by themselves.
func readKeys(list []string) ([]string, error) {
	var keys []string
	for _, text := range list {
		b, err := os.ReadFile(text)
		switch {
		case err == nil:
			text = string(b)
		case !strings.HasPrefix(text, "RW"):
			return nil, print.Usagef("--key: %s", tool.FileFault(err)).Hint("give minisign.pub, or the line in it that begins with RW")
		}
		keys = append(keys, text)
	}
	return keys, nil
}
