// Package frontend is the page of the window, built, as files: the desktop
// program and `errand serve` show the same one. npm builds it into dist; without
// that there is no index.html.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Page is the built page, with index.html at its root.
func Page() fs.FS {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return page
}
