package app

import (
	"errand/app/plugins"
	"errand/policy"
	"errand/policy/redact"
)

// bindSecrets ties the values that the user gave to plugins as secrets to the
// hosts that each is for, whichever plugin would send them, and has them removed
// by value from all that is written, whatever they look like.
func (a *App) bindSecrets(loaded []plugins.Plugin) {
	var bindings []redact.Binding
	var values []string
	for _, p := range loaded {
		m := p.Manifest()
		for _, name := range p.SecretSettings() {
			value, ok := a.conf.Plugins.ByID[m.ID].Config[name].(string)
			if !ok {
				continue
			}
			values = append(values, value)
			bindings = append(bindings, redact.Binding{Name: name, Plugin: m.ID, Secret: redact.NewSecret(value), May: policy.NewURLFilter(m.Config[name].Hosts)})
		}
	}
	if len(values) == 0 {
		return
	}
	a.vault.Bind(redact.Bind(bindings), values)
}

// Redactor removes the program's secrets and what looks like a secret, also where redaction
// is switched off.
func (a *App) Redactor() *redact.Redactor { return a.vault.Redactor() }
