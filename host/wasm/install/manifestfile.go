package install

import (
	"fmt"
	"io"
	"io/fs"

	"errand/host/wasm/manifest"
)

// ManifestText reads a folder's plugin.toml: a file of at most [manifest.MaxSize]
// bytes. A device in its place would never end, and a pipe would be waited for. One
// that is not there is fs.ErrNotExist.
func ManifestText(fsys fs.FS) ([]byte, error) {
	info, err := fs.Stat(fsys, manifest.File) // before it is opened: that waits for a pipe
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", manifest.File)
	}
	f, err := fsys.Open(manifest.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, manifest.MaxSize+1))
	if err == nil && len(text) > manifest.MaxSize {
		return nil, fmt.Errorf("%s is longer than %d bytes", manifest.File, manifest.MaxSize)
	}
	return text, err
}
