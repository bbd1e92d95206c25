package catalogue

import (
	_ "embed"
	"hash/crc32"
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

// tables are the entries, sorted and with their names, their aliases in all cases, and the
// patterns of all hosts.
type tables struct {
	from    uint32 // checksum of the data
	file    file
	aliases aliasForms
	hosts   []string
}

// built is what make tables generates from the embedded data, which saves the start of a
// command from working it out. It is nil in a source tree without the generated file.
var built *tables

// Tables returns the value of the generated file.
func Tables() (any, error) {
	f, err := read()
	if err != nil {
		return nil, err
	}
	c := newCatalogue(f, nil, nil)
	return tables{checksum(), file{c.sites, c.apps}, c.expand(nil), c.HostPatterns()}, nil
}

func checksum() uint32 {
	return crc32.Update(crc32.ChecksumIEEE(sitesTOML), crc32.IEEETable, appsTOML)
}

// isBuilt reports whether built is that of the embedded data. It isn't if the data
// changed since make ran.
var isBuilt = sync.OnceValue(func() bool { return built != nil && built.from == checksum() })

// load returns the embedded data. Callers copy what they change.
var load = sync.OnceValues(func() (file, error) {
	if isBuilt() {
		return built.file, nil
	}
	return read()
})

// read decodes the embedded data.
func read() (file, error) {
	var f file
	if err := toml.Unmarshal(sitesTOML, &f); err != nil {
		return file{}, message.Error("catalogue.read_sites", "cause", err)
	}
	if err := toml.Unmarshal(appsTOML, &f); err != nil {
		return file{}, message.Error("catalogue.read_apps", "cause", err)
	}
	return f, nil
}
