package core

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/config"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
)

// placed is a plugin that a word on the command line stands for: its author's
// folder, or one that is installed, bundled or put there by hand.
type placed struct {
	pluginFolder
	own      bool // a folder that somebody works in
	manifest manifest.Manifest
}

// pluginAt finds the plugin that a word stands for. A folder of that name goes
// before a plugin of that id.
func (a *App) pluginAt(word string) (placed, error) {
	info, err := os.Stat(word)
	if err == nil && info.IsDir() {
		m, err := kit.ReadManifest(word)
		return placed{pluginFolder{name: word, fs: install.Folder(word)}, true, m}, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return placed{}, tool.Errorf(tool.ValidationError, "no_such_plugin", "%s", tool.FileFault(err)).WithHint("name a module, or a plugin's folder")
	}
	folders, err := a.pluginFolders()
	if err != nil {
		return placed{}, err
	}
	var ids []string
	for _, f := range folders {
		if f.id() != word {
			ids = append(ids, f.id())
			continue
		}
		p := placed{pluginFolder: f}
		if f.entry != nil {
			if p.fs, err = a.store().Open(*f.entry); err != nil {
				return p, err
			}
		}
		text, err := install.ReadManifest(p.fs)
		if err == nil {
			p.manifest, err = manifest.Parse(text)
		}
		if err != nil {
			return p, unreadable(f, tool.Errorf(tool.ToolUnavailable, "bad_manifest", "%v", err))
		}
		return p, nil
	}
	return placed{}, nowhere(word, ids)
}

// nowhere says that a word stands for nothing, and what it may have been meant
// for.
func nowhere(word string, ids []string) error {
	e := tool.Errorf(tool.ValidationError, "no_such_plugin", "there is no file or folder %q, and no plugin of that name is installed", word)
	known := ids
	if entries, err := os.ReadDir(filepath.Dir(word)); err == nil {
		for _, entry := range entries {
			if entry.IsDir() || strings.HasSuffix(entry.Name(), ".wasm") {
				known = append(known, filepath.Join(filepath.Dir(word), entry.Name()))
			}
		}
	}
	if near := config.Nearest(filepath.Clean(word), known); near != "" {
		return e.WithHint("did you mean %q?", near)
	}
	if id, name, ok := strings.Cut(word, "."); ok && slices.Contains(ids, id) {
		return e.WithHint("of the plugin %s the tool is named after it: errand plugin call %s %s", id, id, name)
	}
	return e.WithHint("name a module, a plugin's folder, or one that is installed: %s", strings.Join(ids, ", "))
}

// amiss are the codes of a plugin whose files are not what they should be.
var amiss = []string{"no_manifest", "bad_manifest", "no_module", "bad_module", "digest_mismatch"}

// misnamed is an error of a file or folder that a person named. Of what is
// installed it is a tool that can't be had; of what they gave it is they who gave
// the wrong thing. What is WebAssembly and can't run here stays what it is.
func misnamed(err error) error {
	e := tool.AsError(err)
	if e == nil || e.Class != tool.ToolUnavailable || !slices.Contains(amiss, e.Code) {
		return err
	}
	wrong := *e
	wrong.Class = tool.ValidationError
	return &wrong
}

// callable is pluginAt for who is about to call it: what a person switched off
// runs by no way around.
func (a *App) callable(word string) (placed, error) {
	p, err := a.pluginAt(word)
	switch {
	case err != nil || p.own:
		return p, err
	case !a.conf.Plugins.Enabled(p.id()) || !a.conf.Plugins.Enabled(p.manifest.ID): // of a folder of another name
		return p, a.offInConfig(tool.PolicyDenied, "the plugin %s is switched off in the config", p.manifest.ID)
	case p.entry != nil && !p.entry.Enabled:
		return p, tool.Errorf(tool.PolicyDenied, "disabled", "the plugin %s is switched off", p.id()).WithHint("errand plugin enable %s", p.id())
	}
	return p, nil
}

// offInConfig is of a plugin that the config leaves out.
func (a *App) offInConfig(class tool.Class, format, id string) *tool.Error {
	return tool.Errorf(class, "disabled", format, id).WithHint("remove enabled = false from [plugins.%s] in %s", id, a.conf.Paths.File)
}

// loadPlaced has a host load the plugin as it is where it is.
func (a *App) loadPlaced(h *wasm.Host, p placed) (*wasm.Plugin, error) {
	if p.own {
		loaded, err := h.Load(p.fs)
		return loaded, misnamed(err)
	}
	loaded, err := a.loadPlugin(h, p.pluginFolder, nil)
	return loaded.Plugin, err
}

// readModule reads a module that is no plugin of a folder.
func (a *App) readModule(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		_, err := a.pluginAt(name) // which says what there is
		if err == nil {
			err = tool.Errorf(tool.ValidationError, "no_such_plugin", "%s is a plugin, and no module", name)
		}
		return nil, err
	case !info.Mode().IsRegular():
		return nil, tool.Errorf(tool.ValidationError, "module_unreadable", "%s is not a file", name).WithHint("name the .wasm file")
	case info.Size() > wasm.MaxModule:
		return nil, noModuleSoBig(name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, tool.Errorf(tool.ValidationError, "module_unreadable", "read the module: %s", tool.FileFault(err)).WithHint("name the .wasm file")
	}
	return b, nil
}

func noModuleSoBig(name string) error {
	return tool.Errorf(tool.ValidationError, "bad_module", "%s is longer than the %d bytes allowed", name, wasm.MaxModule).
		WithHint("no module is as big as that: name the .wasm file that the compiler made")
}
