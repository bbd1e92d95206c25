package plugincmd

import (
	"strings"

	"github.com/spf13/cobra"

	"errand/app/cli/print"
	"errand/app/plugins"
)

// moduleFlags describe a module without a manifest.
type moduleFlags struct {
	abi, id           string
	hosts             []string
	settings, secrets []string
	reading           readingFlag
}

func (f *moduleFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.abi, "abi", "", "")
	c.Flags().StringVar(&f.id, "id", "", "")
	c.Flags().StringArrayVar(&f.hosts, "allow-host", nil, "")
	c.Flags().StringArrayVar(&f.settings, "setting", nil, "")
	c.Flags().StringArrayVar(&f.secrets, "secret", nil, "")
	f.reading.add(c)
}

// request is nil where nothing was said.
func (f *moduleFlags) request(c *cobra.Command) (*plugins.ModuleRequest, error) {
	if f.abi == "" {
		if f.id != "" || len(f.hosts)+len(f.settings)+len(f.secrets) > 0 || f.reading.names(c) != nil {
			return nil, print.BadUsage("cli_plugin.flags_for_bare_module").Hint("cli_plugin.flags_for_bare_module_hint")
		}
		return nil, nil
	}
	if f.id == "" {
		return nil, print.BadUsage("cli.flag_needs", "flag", "--abi", "other", "--id").Hint("cli_plugin.give_id_hint")
	}
	r := &plugins.ModuleRequest{ABI: f.abi, ID: f.id, Hosts: f.hosts, Settings: f.settings, Secrets: map[string][]string{}, Reading: f.reading.names(c)}
	for _, text := range f.secrets {
		key, host, ok := strings.Cut(text, "@")
		if !ok || key == "" || host == "" {
			return nil, print.BadUsage("cli_plugin.bad_secret", "text", text).Hint("cli_plugin.bad_secret_hint")
		}
		r.Secrets[key] = append(r.Secrets[key], host)
	}
	return r, nil
}
