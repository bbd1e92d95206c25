// Package plugins carries the bundled plugins, built from the folders beside
// this file: a Rust crate each, and guest, which they share. build/plugin-pack
// builds them into dist, which is embedded here and not kept in the repository.
package plugins

import (
	"embed"
	"io/fs"

	"errand/planner/message"
)

//go:embed all:dist
var dist embed.FS

// ErrNotBuilt says that the program was built before its plugins were.
var ErrNotBuilt = message.Error("plugin.built_without_plugins")

// BundledFolders answers the folders of the bundled plugins by their names, each as
// the plugin host loads it. Without any the error is [ErrNotBuilt].
func BundledFolders() (map[string]fs.FS, error) {
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, err
	}
	folders := map[string]fs.FS{}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		folder, err := fs.Sub(dist, "dist/"+e.Name())
		if err != nil {
			return nil, err
		}
		folders[e.Name()] = folder
	}
	if len(folders) == 0 {
		return nil, ErrNotBuilt
	}
	return folders, nil
}
