package install

import (
	"bytes"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// renderedManifest is a manifest to write for a module that describes its own tools. It
// omits default values.
type renderedManifest struct {
	Schema      int                       `toml:"schema"`
	ID          string                    `toml:"id"`
	Version     string                    `toml:"version"`
	Description string                    `toml:"description"`
	Module      string                    `toml:"module"`
	SHA256      string                    `toml:"sha256"`
	ABI         manifest.ABI              `toml:"abi"`
	Hosts       []string                  `toml:"hosts"`
	Config      map[string]renderedConfig `toml:"config,omitempty"`
	Tools       []renderedTool            `toml:"tool"`
}

type renderedConfig struct {
	Type  string   `toml:"type"`
	Hosts []string `toml:"hosts,omitempty"`
}

type renderedTool struct {
	Name            string               `toml:"name"`
	Function        string               `toml:"function"`
	Description     string               `toml:"description"`
	SideEffectClass tool.SideEffectClass `toml:"side_effect_class"`
	Effect          tool.Effect          `toml:"effect"`
	ArgsSchema      string               `toml:"args_schema,multiline"`
}

// Write returns a manifest for a module that described its tools. m has the hosts,
// config and tools; limits are the defaults.
func Write(m manifest.Manifest) ([]byte, error) {
	w := renderedManifest{
		Schema: 1, ID: m.ID, Version: m.Version, Description: m.Description, Module: m.Module, SHA256: m.SHA256, ABI: m.ABI, Hosts: m.Hosts,
		Config: map[string]renderedConfig{},
	}
	for key, c := range m.Config { // reading refuses invalid keys
		w.Config[key] = renderedConfig{c.Type, c.Hosts}
	}
	for _, t := range m.Tools {
		if !utf8.ValidString(t.Function) || !utf8.ValidString(t.Description) || !utf8.ValidString(t.ArgsSchema) { // the encoder would drop invalid UTF-8
			return nil, refusedError("bad_manifest", message.New("install.tool_text_not_utf8", "tool", t.Name))
		}
		w.Tools = append(w.Tools, renderedTool{t.Name, t.Function, t.Description, t.SideEffectClass, t.Effect, t.ArgsSchema})
	}
	b := bytes.NewBufferString("# Written by `errand plugin install` of what the module says of itself.\n")
	if err := toml.NewEncoder(b).Encode(w); err != nil {
		return nil, message.Error("install.write_manifest", "cause", err)
	}
	return b.Bytes(), nil
}
