package manifest

import (
	"bytes"

	"github.com/pelletier/go-toml/v2"
)

// tables are the manifests of the bundled plugins with the texts that they were parsed
// from.
type tables struct {
	texts     []string
	manifests []Manifest
}

// built is what make tables generates. It is nil in a source tree without the generated
// file.
var built *tables

// Tables returns the value of the generated file for the manifests of bundled plugins.
func Tables(texts ...string) (any, error) {
	t := tables{texts: texts}
	for _, text := range texts {
		m, err := parseBundled([]byte(text))
		if err != nil {
			return nil, err
		}
		t.manifests = append(t.manifests, m)
	}
	return t, nil
}

// ParseBundled parses the manifest of a bundled plugin, which the tests have
// checked with [Parse]. It skips validation, because the program parses these
// manifests at every start. What make tables generated of the same text is not parsed
// at all. The result is shared: don't change what it refers to. It has no cases, which
// are for the authors of plugins, and the arguments that each tool writes.
func ParseBundled(b []byte) (Manifest, error) {
	if built != nil {
		for i, text := range built.texts {
			if text == string(b) {
				return built.manifests[i], nil
			}
		}
	}
	return parseBundled(b)
}

func parseBundled(b []byte) (Manifest, error) {
	var m Manifest
	if err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&m); err != nil {
		return m, explain(err)
	}
	m.fill()
	for i := range m.Tools {
		t := &m.Tools[i]
		t.Cases, t.Writes = nil, m.writtenArgs(*t) // so that no start reads the schema for them
	}
	return m, nil
}
