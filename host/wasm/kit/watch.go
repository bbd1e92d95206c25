package kit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
)

// Watch calls changed when a plugin's sources differ from the snapshot or from the
// last call and have not changed for one interval. names are relative to the
// folder. Build products don't count: modules, the sha256 in the manifest and
// folders of compilers. A deleted module does count. It ends with ctx or with
// changed's error.
//
// It polls the folder every interval. A plugin has few files, while system
// notifications differ between systems, are limited and miss mounted folders.
func Watch(ctx context.Context, seen Snapshot, interval time.Duration, changed func(names []string) error) error {
	for {
		names, err := seen.wait(ctx, interval)
		if err != nil {
			return err
		}
		if err := changed(names); err != nil {
			return err
		}
	}
}

// Snapshot is the state of a folder's files, by name.
type Snapshot struct {
	folder string
	files  map[string]string
}

// wait waits for changes to settle, updates the snapshot and returns the names of
// the changed files.
func (s *Snapshot) wait(ctx context.Context, interval time.Duration) ([]string, error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	last := *s
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
		now := Snap(s.folder)
		names := s.changedFiles(now)
		if len(names) > 0 && len(last.changedFiles(now)) == 0 {
			*s = now
			return names, nil
		}
		s.take(now)
		last = now
	}
}

// moduleExists is the state of an existing module. Its content does not matter,
// because building writes it.
const moduleExists = "there"

// take adds the modules that exist now.
func (s *Snapshot) take(now Snapshot) {
	for name, state := range now.files {
		if state == moduleExists {
			s.files[name] = state
		}
	}
}

// changedFiles returns the files that differ between two snapshots.
func (s *Snapshot) changedFiles(other Snapshot) []string {
	all := map[string]string{}
	for name := range s.files {
		all[name] = ""
	}
	for name := range other.files {
		all[name] = ""
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if s.files[name] != other.files[name] && other.files[name] != moduleExists {
			names = append(names, name)
		}
	}
	return names
}

var pinnedLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^sha256[ \t]*=.*\r?\n?`) })

// Snap returns a snapshot of the sources in a folder. It treats unreadable files
// as missing.
func Snap(folder string) Snapshot {
	s := Snapshot{folder: folder, files: map[string]string{}}
	if doc, err := install.ReadManifest(os.DirFS(folder)); err == nil {
		s.files[manifest.File] = fmt.Sprintf("%x", sha256.Sum256(pinnedLine().ReplaceAll(doc, nil)))
	}
	_ = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil || name == ".":
			return nil
		case d.IsDir() && (strings.HasPrefix(base, ".") || base == "target" || base == "node_modules" || base == "build"):
			return fs.SkipDir
		case d.IsDir() || name == manifest.File || strings.HasPrefix(base, "."), strings.HasSuffix(base, ".new"), base == "Cargo.lock":
			return nil
		case path.Ext(name) == ".wasm":
			s.files[name] = moduleExists
			return nil
		}
		if info, err := d.Info(); err == nil {
			s.files[name] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return s
}
