package wasm

import (
	"fmt"
	"maps"
	"slices"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/planner/message"
	"errand/policy"
)

// settings is a plugin's configuration for a call: plain values, and secrets that
// the plugin knows only by name.
type settings struct {
	values  map[string]any
	secrets map[string]extism.Secret
}

// SecretSettings returns the keys of the settings whose values the plugin must not see.
func (p *Plugin) SecretSettings() []string {
	keys := slices.Clone(p.formerSecrets)
	for key, c := range p.manifest.Config {
		if c.Type == "secret" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// settings checks the user's values against the manifest. A value of the wrong
// type or an unknown key is an error, so that a typo does not silently select a
// default.
func (p *Plugin) settings() (settings, error) {
	var set map[string]any
	if p.host.o.Config != nil {
		set = p.host.o.Config(p.manifest.ID)
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if _, ok := p.manifest.Config[key]; !ok {
			if len(p.manifest.Config) == 0 {
				return settings{}, p.badConfig(message.New("plugin.no_config_keys", "key", key))
			}
			return settings{}, p.badConfig(message.New("plugin.unknown_config_key", "key", key, "known", slices.Sorted(maps.Keys(p.manifest.Config))))
		}
	}
	s := settings{values: map[string]any{}, secrets: map[string]extism.Secret{}}
	for key, c := range p.manifest.Config {
		value, ok := set[key]
		if !ok {
			value = c.Default
		}
		switch {
		case value == nil:
		case !c.HasType(value):
			return settings{}, p.badConfig(message.New("plugin.config_of_other_kind", "key", key, "type", c.Type))
		case ok && c.Type != "secret" && slices.Contains(p.formerSecrets, key):
			return settings{}, p.badConfig(message.New("plugin.setting_was_secret", "key", key)).
				WithHint(message.New("plugin.rename_setting", "key", key, "plugin", p.manifest.ID))
		case c.Type == "secret":
			s.secrets[key] = extism.Secret{Value: value.(string), May: policy.NewURLFilter(c.Hosts)}
			s.values[key] = extism.Placeholder(key)
		default:
			s.values[key] = value
		}
	}
	return s, nil
}

func (p *Plugin) badConfig(m message.Message) *tool.Error {
	return tool.NewError(tool.ValidationError, "plugin_config", message.New("plugin.bad_config", "plugin", p.manifest.ID, "fault", m)).
		WithHint(message.New("plugin.see_config", "plugin", p.manifest.ID))
}

// text returns the values as strings, as Extism requires.
func (s settings) text() map[string]string {
	config := make(map[string]string, len(s.values))
	for k, v := range s.values {
		config[k] = fmt.Sprint(v)
	}
	return config
}
