package plugins

import (
	"sync/atomic"

	"errand/app/config"
	"errand/host/wasm"
	"errand/policy"
)

// KnownSecrets are the secrets that the user gave to the loaded plugins. They may be used by
// several goroutines at once.
type KnownSecrets struct {
	all atomic.Pointer[[]pluginSecret]
}

type pluginSecret struct {
	plugin string
	wasm.Secret
}

// set replaces the secrets by those of the plugins that are loaded now.
func (k *KnownSecrets) set(c *config.Loaded, loaded []Plugin) {
	var all []pluginSecret
	for _, p := range loaded {
		m := p.Manifest()
		for _, name := range p.SecretSettings() {
			if value, ok := c.Plugins.ByID[m.ID].Config[name].(string); ok {
				all = append(all, pluginSecret{m.ID, wasm.Secret{Value: value, May: policy.NewURLFilter(m.Config[name].Hosts)}})
			}
		}
	}
	k.all.Store(&all)
}

// Others returns the secrets of all plugins but one.
func (k *KnownSecrets) Others(plugin string) []wasm.Secret {
	all := k.all.Load()
	if all == nil {
		return nil
	}
	var out []wasm.Secret
	for _, p := range *all {
		if p.plugin != plugin {
			out = append(out, p.Secret)
		}
	}
	return out
}
