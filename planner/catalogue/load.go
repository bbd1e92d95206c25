package catalogue

import (
	_ "embed"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"errand/planner/message"
)

//go:embed sites.toml
var sitesTOML []byte

//go:embed apps.toml
var appsTOML []byte

type file struct {
	Sites []Site `toml:"site"`
	Apps  []App  `toml:"app"`
}

// load decodes the embedded data once. Callers copy what they change.
var load = sync.OnceValues(func() (file, error) {
	var f file
	if err := toml.Unmarshal(sitesTOML, &f); err != nil {
		return file{}, message.Error("catalogue.read_sites", "cause", err)
	}
	if err := toml.Unmarshal(appsTOML, &f); err != nil {
		return file{}, message.Error("catalogue.read_apps", "cause", err)
	}
	return f, nil
})
