// Package author is the kit of plugin authors: it makes, builds, tests, measures,
// inspects and calls plugins in their author's folder.
package author

import (
	"context"
	"time"

	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
)

// Kit works on plugins of a folder, or on those of the set.
type Kit struct{ Set *plugins.Set }

// NewPlugin is a plugin that is to be made.
type NewPlugin struct {
	Folder string
	Name   string // its id
	Lang   string // one of [kit.Langs]
	ABI    string // wasi | extism; empty: wasi
}

// Create makes the folder of a plugin that works and answers the names of
// its files. Nothing is written over.
func Create(n NewPlugin) ([]string, error) {
	taken, err := plugins.ReservedIDs()
	if err != nil {
		return nil, err
	}
	lang, err := kit.ParseLang(n.Lang)
	if err != nil {
		return nil, err
	}
	return kit.New(n.Folder, kit.Plan{Name: n.Name, Lang: lang, ABI: manifest.ABI(n.ABI), Reserved: taken})
}

// BuildOptions says how a plugin is built.
type BuildOptions = kit.BuildOptions

// BuildResult is a plugin that was built.
type BuildResult = kit.BuildResult

// Build compiles the sources in a plugin's folder and pins the module in
// its manifest.
func (k *Kit) Build(ctx context.Context, folder string, o BuildOptions) (BuildResult, error) {
	var err error
	if o.Reserved, err = plugins.ReservedIDs(); err != nil {
		return BuildResult{}, err
	}
	o.Runs = k.Set.CheckModule
	return kit.Build(ctx, folder, o)
}

// CheckFolder refuses a folder that has no manifest to be read: somebody took the
// wrong one. Errors in the manifest are what its author is fixing.
func CheckFolder(folder string) error {
	_, err := kit.ReadManifest(folder)
	if err == nil || tool.AsError(err).Code == "bad_manifest" {
		return nil
	}
	return err
}

// Snapshot is how the sources of a plugin are at one time.
type Snapshot = kit.Snapshot

// Snap looks at the sources in a plugin's folder.
func Snap(folder string) Snapshot { return kit.Snap(folder) }

// Watch calls changed whenever sources are not as they were at the
// snapshot or the last call. It ends with ctx, or with changed's error.
func Watch(ctx context.Context, since Snapshot, interval time.Duration, changed func(names []string) error) error {
	return kit.Watch(ctx, since, interval, changed)
}

// Schema is the JSON Schema of plugin.toml.
func Schema() []byte { return manifest.Schema() }
