package plugins

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/install"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Place is a plugin that a command-line argument names: its author's folder, or
// a plugin that is bundled, installed or put into a folder by hand.
type Place struct {
	folder
	IsAuthorFolder bool // the author's folder
	Manifest       manifest.Manifest
}

// Name is the path of the folder, or "bundled/ID".
func (p Place) Name() string { return p.name }

// FS holds the plugin's files.
func (p Place) FS() fs.FS { return p.fs }

// Find finds the plugin that an argument names. A folder goes before a plugin of
// that id.
func (s *Set) Find(arg string) (Place, error) {
	info, err := os.Stat(arg)
	if err == nil && info.IsDir() {
		m, err := kit.ReadManifest(arg)
		return Place{folder{name: arg, fs: install.Folder(arg)}, true, m}, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Place{}, tool.NewError(tool.ValidationError, "no_such_plugin", tool.FileFault(err)).WithHint(message.New("plugins.name_module_or_folder"))
	}
	folders, err := s.folders()
	if err != nil {
		return Place{}, err
	}
	var ids []string
	for _, f := range folders {
		if f.id() != arg {
			ids = append(ids, f.id())
			continue
		}
		return s.readPlace(f)
	}
	return Place{}, unknownPlugin(arg, ids)
}

// readPlace opens a plugin's folder and reads its manifest.
func (s *Set) readPlace(f folder) (p Place, err error) {
	p = Place{folder: f}
	if f.entry != nil {
		if p.fs, err = s.store().Open(*f.entry); err != nil {
			return p, err
		}
	}
	text, err := install.ReadManifest(p.fs)
	if err == nil {
		p.Manifest, err = manifest.Parse(text)
	}
	if err != nil {
		return p, loadError(f, tool.NewError(tool.ToolUnavailable, "bad_manifest", message.FromError(err)))
	}
	return p, nil
}

// unknownPlugin says that an argument names no plugin, and suggests one.
func unknownPlugin(arg string, ids []string) error {
	e := tool.NewError(tool.ValidationError, "no_such_plugin", message.New("plugins.no_such_plugin", "name", arg))
	known := ids
	if entries, err := os.ReadDir(filepath.Dir(arg)); err == nil {
		for _, entry := range entries {
			if entry.IsDir() || strings.HasSuffix(entry.Name(), ".wasm") {
				known = append(known, filepath.Join(filepath.Dir(arg), entry.Name()))
			}
		}
	}
	if near := message.Nearest(filepath.Clean(arg), known); near != "" {
		return e.WithHint(message.New("plugins.did_you_mean", "near", near))
	}
	if isPath(arg) {
		return tool.NewError(tool.ValidationError, "no_such_plugin", message.New("plugins.no_such_file", "name", arg))
	}
	if id, name, ok := strings.Cut(arg, "."); ok && slices.Contains(ids, id) {
		return e.WithHint(message.New("plugins.tool_given", "id", id, "tool", name))
	}
	return e.WithHint(message.New("plugins.name_module_folder_or_installed", "installed", ids))
}

// isPath reports whether an argument is a path or the name of a module, which no plugin's
// id is.
func isPath(arg string) bool {
	return strings.HasSuffix(arg, ".wasm") || filepath.Base(arg) != arg
}

// FindCallable is Find for a caller of its tools: it refuses a plugin that is
// disabled.
func (s *Set) FindCallable(arg string) (Place, error) {
	p, err := s.Find(arg)
	switch {
	case err != nil || p.IsAuthorFolder:
		return p, err
	case !s.Enabled(p.id()) || !s.Enabled(p.Manifest.ID): // the folder's name may differ from the id
		return p, disabledError(p.Manifest.ID)
	case p.entry != nil && !p.entry.Enabled:
		return p, disabledError(p.id())
	}
	return p, nil
}

// LoadInto loads the plugin into another host than the set's own.
func (s *Set) LoadInto(h *wasm.Host, p Place) (*wasm.Plugin, error) {
	if p.IsAuthorFolder {
		loaded, err := h.Load(p.fs)
		return loaded, InputError(err)
	}
	f := p.folder
	if f.entry != nil { // the other host has the folders
		e := *f.entry
		e.Grants, f.entry = nil, &e
	}
	loaded, err := s.load(h, f, nil)
	return loaded.Plugin, err
}

// ReadModule reads a module that is a single file.
func (s *Set) ReadModule(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		_, err := s.Find(name) // whose error suggests names
		if err == nil {
			err = tool.NewError(tool.ValidationError, "no_such_plugin", message.New("plugins.not_a_module", "name", name))
		}
		return nil, err
	case !info.Mode().IsRegular():
		return nil, tool.NewError(tool.ValidationError, "module_unreadable", message.New("plugins.not_a_file", "name", name)).WithHint(message.New("plugins.name_wasm_file"))
	}
	b, err := realpath.ReadFile(name, wasm.MaxModule)
	if _, tooLarge := errors.AsType[*realpath.TooLargeError](err); tooLarge {
		return nil, SizeError(name)
	}
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, "module_unreadable", message.New("plugins.read_module", "cause", tool.FileFault(err))).WithHint(message.New("plugins.name_wasm_file"))
	}
	return b, nil
}

func disabledError(id string) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "disabled", message.New("plugins.switched_off", "id", id)).WithHint(message.New("plugins.enable_command", "id", id))
}

// SizeError refuses a module that is larger than [wasm.MaxModule].
func SizeError(name string) error {
	return tool.NewError(tool.ValidationError, "bad_module", message.New("plugins.module_too_large", "name", name, "limit", wasm.MaxModule)).
		WithHint(message.New("plugins.module_too_large_hint"))
}

// badFileCodes are the codes of errors about a plugin's files.
var badFileCodes = []string{"no_manifest", "bad_manifest", "no_module", "bad_module", "digest_mismatch"}

// InputError makes a validation error of an error about files that the user
// named. For an installed plugin the same error means an unavailable tool. Other
// errors are returned unchanged.
func InputError(err error) error {
	e := tool.AsError(err)
	if e == nil || e.Class != tool.ToolUnavailable || !slices.Contains(badFileCodes, e.Code) {
		return err
	}
	wrong := *e
	wrong.Class = tool.ValidationError
	return &wrong
}

// CheckModule says why the module of a plugin with this id can't run here, or a module
// without a plugin if id is "". It compiles nothing.
func (s *Set) CheckModule(ctx context.Context, id, name string, module []byte) error {
	_, err := wasm.Foresee(ctx, wasm.Module{Name: name, Bytes: module}, s.o.Config.Plugins.Effort(id))
	return InputError(err)
}
