package core

import (
	"context"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
)

// NewPlugin is a plugin that is to be made.
type NewPlugin struct {
	Folder string
	Name   string // its id
	Lang   string // go | rust | c | assemblyscript
	ABI    string // wasi | extism; empty: wasi
}

// CreatePlugin makes the folder of a plugin that works and answers the names of
// its files. Nothing is written over.
func CreatePlugin(n NewPlugin) ([]string, error) {
	taken, err := reservedIDs()
	if err != nil {
		return nil, err
	}
	lang, err := kit.ParseLang(n.Lang)
	if err != nil {
		return nil, err
	}
	return kit.New(n.Folder, kit.Plan{Name: n.Name, Lang: lang, ABI: manifest.ABI(n.ABI), Reserved: taken})
}

// PluginBuild says how a plugin is built.
type PluginBuild = kit.BuildOptions

// BuiltPlugin is a plugin that was built.
type BuiltPlugin = kit.Built

// BuildPlugin compiles the sources in a plugin's folder and pins the module in
// its manifest.
func BuildPlugin(ctx context.Context, folder string, o PluginBuild) (BuiltPlugin, error) {
	var err error
	if o.Reserved, err = reservedIDs(); err != nil {
		return BuiltPlugin{}, err
	}
	o.Runs = runs
	return kit.Build(ctx, folder, o)
}

// runs says what keeps a module that a person gave from being run.
func runs(ctx context.Context, name string, module []byte) error {
	_, err := wasm.Foresee(ctx, wasm.Module{Name: name, Bytes: module})
	return misnamed(err)
}

// CheckFolder refuses a folder that has no manifest to be read: somebody took the
// wrong one. Faults in the manifest are what its author is mending.
func CheckFolder(folder string) error {
	_, err := kit.ReadManifest(folder)
	if err == nil || tool.AsError(err).Code == "bad_manifest" {
		return nil
	}
	return err
}

// PluginSnapshot is how the sources of a plugin are at one time.
type PluginSnapshot = kit.Snapshot

// SnapPlugin looks at the sources in a plugin's folder.
func SnapPlugin(folder string) PluginSnapshot { return kit.Snap(folder) }

// WatchPlugin calls changed whenever sources are not as they were at the
// snapshot or the last call. It ends with ctx, or with changed's error.
func WatchPlugin(ctx context.Context, since PluginSnapshot, interval time.Duration, changed func(names []string) error) error {
	return kit.Watch(ctx, since, interval, changed)
}

// PluginSchema is the JSON Schema of plugin.toml.
func PluginSchema() []byte { return manifest.Schema() }
