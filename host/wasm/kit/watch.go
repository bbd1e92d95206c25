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
	"time"

	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
)

// Watch calls changed whenever something of a plugin's sources is not as it was
// at the snapshot, or at the last call, and has stayed so for one interval; with
// the names of the files, relative to the folder. What building makes is no
// change: modules, the sha256 in the manifest, folders of compilers. A module that
// is gone is one. It ends with ctx, or with changed's error.
//
// It looks at the folder every interval. A plugin has few files, and what the
// system offers for watching differs between systems, runs out, and misses
// folders that are mounted.
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

// Snapshot is how the files of a folder are: by name, what tells one state of a
// file from another.
type Snapshot struct {
	folder string
	files  map[string]string
}

// wait answers what differs from the snapshot, once it has settled, and goes on
// from there.
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
		names := s.differs(now)
		if len(names) > 0 && len(last.differs(now)) == 0 {
			*s = now
			return names, nil
		}
		s.take(now)
		last = now
	}
}

// moduleThere is what is known of a module: building writes it, so that its
// content is no change, and that it is there none either.
const moduleThere = "there"

// take notes the modules that are there by now.
func (s *Snapshot) take(now Snapshot) {
	for name, state := range now.files {
		if state == moduleThere {
			s.files[name] = state
		}
	}
}

// differs lists the files that one snapshot has otherwise than the other.
func (s *Snapshot) differs(other Snapshot) []string {
	all := map[string]string{}
	for name := range s.files {
		all[name] = ""
	}
	for name := range other.files {
		all[name] = ""
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if s.files[name] != other.files[name] && other.files[name] != moduleThere {
			names = append(names, name)
		}
	}
	return names
}

var pinnedLine = regexp.MustCompile(`(?m)^sha256[ \t]*=.*\r?\n?`)

// Snap looks at the sources in a folder. What can't be read is as if it were
// not there.
func Snap(folder string) Snapshot {
	s := Snapshot{folder: folder, files: map[string]string{}}
	if doc, err := install.ReadManifest(os.DirFS(folder)); err == nil {
		s.files[manifest.File] = fmt.Sprintf("%x", sha256.Sum256(pinnedLine.ReplaceAll(doc, nil)))
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
			s.files[name] = moduleThere
			return nil
		}
		if info, err := d.Info(); err == nil {
			s.files[name] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return s
}
