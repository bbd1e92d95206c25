package plugins

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"errand/host/tool"
	"errand/host/wasm/install"
	"errand/planner/message"
	bundled "errand/plugins"
)

// ReservedIDs are the ids that only bundled plugins may have, also where one of
// them is disabled: grants are written for these names.
func ReservedIDs() ([]string, error) {
	all, err := bundled.BundledFolders()
	if err != nil {
		return nil, err
	}
	ids := append(slices.Collect(maps.Keys(all)), "system", "browser")
	slices.Sort(ids)
	return ids, nil
}

// id is the plugin's id as far as its folder tells it.
func (f folder) id() string {
	if f.entry != nil {
		return f.entry.ID
	}
	return filepath.Base(f.name)
}

// folders lists where plugins can be loaded from: the bundled ones, the installed
// ones, and those in the data folder or a folder of plugins.dirs. Each has a
// plugin.toml.
func (s *Set) folders() ([]folder, error) {
	lock, err := s.readLock()
	if err != nil {
		return nil, err
	}
	return s.foldersWith(lock)
}

func (s *Set) foldersWith(lock install.Lock) ([]folder, error) {
	var folders []folder
	all, err := bundled.BundledFolders()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		folders = append(folders, folder{name: "bundled/" + id, fs: all[id], bundled: true})
	}
	for i := range lock.Plugins {
		e := &lock.Plugins[i]
		folders = append(folders, folder{name: s.store().Folder(*e), entry: e})
	}
	dirs := []string{filepath.Join(s.o.Config.Paths.Data, "plugins")}
	for _, dir := range s.o.Config.Plugins.Dirs {
		dir, err := s.o.Config.Expand(dir)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	for i, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && i == 0 {
			continue // the store reports a data folder that can't be used
		}
		if err != nil {
			return nil, tool.NewError(tool.ValidationError, "plugins_unreadable", message.New("plugins.plugins_unreadable", "folder", dir, "cause", err)).
				WithHint(message.New("plugins.plugins_unreadable_hint"))
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if _, err := os.Stat(filepath.Join(path, "plugin.toml")); err == nil {
				f := folder{name: path, fs: os.DirFS(path), installed: lock.Plugins}
				if i == 0 {
					f.dropped, f.consent = e.Name(), lock.FindConsent(e.Name())
				}
				folders = append(folders, f)
			}
		}
	}
	return folders, nil
}

// readLock reads the list of installed plugins. It refuses one that other users could have
// written: their plugins would run with the rights that the list says.
func (s *Set) readLock() (install.Lock, error) {
	if err := s.o.Config.Paths.CheckData(); err != nil {
		return install.Lock{}, err
	}
	return s.store().ReadLock()
}
