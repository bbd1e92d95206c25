package plugincmd

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins"
)

// moduleFlags say of a module without a manifest what it can't say itself.
type moduleFlags struct {
	abi, id           string
	hosts             []string
	settings, secrets []string
}

func (f *moduleFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.abi, "abi", "", "the `ABI` of a module without a plugin.toml: hyper-mcp")
	c.Flags().StringVar(&f.id, "id", "", "the `NAME` of the plugin, with which its tools begin")
	c.Flags().StringArrayVar(&f.hosts, "allow-host", nil, "let it contact `HOST` (a pattern); may be repeated")
	c.Flags().StringArrayVar(&f.settings, "setting", nil, "a `KEY` that it reads from [plugins.NAME.config]; may be repeated")
	c.Flags().StringArrayVar(&f.secrets, "secret", nil, "a secret `KEY@HOST` that it may send only to that host; may be repeated")
}

// request is nil where nothing was said.
func (f *moduleFlags) request() (*plugins.ModuleRequest, error) {
	if f.abi == "" {
		if f.id != "" || len(f.hosts)+len(f.settings)+len(f.secrets) > 0 {
			return nil, print.Usagef("--id, --allow-host, --setting and --secret are for a module without a plugin.toml").Hint("add --abi hyper-mcp, or leave them out")
		}
		return nil, nil
	}
	if f.id == "" {
		return nil, print.Usagef("--abi needs --id").Hint("give a name that the plugin's tools are to begin with")
	}
	r := &plugins.ModuleRequest{ABI: f.abi, ID: f.id, Hosts: f.hosts, Settings: f.settings, Secrets: map[string][]string{}}
	for _, text := range f.secrets {
		key, host, ok := strings.Cut(text, "@")
		if !ok || key == "" || host == "" {
			return nil, print.Usagef("--secret %q is not KEY@HOST", text).Hint("a secret is sent to one host, and to no other")
		}
		r.Secrets[key] = append(r.Secrets[key], host)
	}
	return r, nil
}
