package kit

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// templates holds, for each language, what both ABIs share and a folder of its
// own for each. The underscore keeps the Go tool from taking them for packages.
//
//go:embed all:_templates
var templates embed.FS

// Plan configures [New].
type Plan struct {
	Name string // plugin id
	Lang Lang
	ABI  manifest.ABI // empty: wasi
	// Reserved are ids that plugins can't have; see [manifest.CheckReserved].
	Reserved []string
}

// New creates a working plugin: sources, a manifest with cases and a README. The
// folder must be missing or empty. It returns the names of the files, relative to
// the folder.
func New(folder string, p Plan) ([]string, error) {
	if p.ABI == "" {
		p.ABI = manifest.WASI
	}
	if p.ABI != manifest.WASI && p.ABI != manifest.Extism {
		return nil, tool.NewError(tool.ValidationError, "unknown_abi", message.New("kit.unknown_abi", "abi", p.ABI)).WithHint(message.New("kit.choose_abi"))
	}
	if !manifest.ValidID(p.Name) {
		return nil, tool.NewError(tool.ValidationError, "bad_id", message.New("kit.bad_id", "name", p.Name)).
			WithHint(message.New("kit.id_format"))
	}
	if err := manifest.CheckReserved(p.Name, p.Reserved); err != nil {
		return nil, err
	}
	files, err := p.files()
	if err != nil {
		return nil, err
	}
	if err := emptyFolder(folder); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		place := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, []byte(f.text), 0o644)); err != nil {
			return names, tool.NewError(tool.ExecutionError, "not_written", message.New("kit.make_plugin", "cause", err))
		}
		names = append(names, f.name)
	}
	return names, nil
}

// emptyFolder creates the folder, or fails if it is not empty.
func emptyFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err = os.MkdirAll(folder, 0o755); err == nil {
			return nil
		}
	case err == nil && len(entries) > 0:
		return tool.NewError(tool.ValidationError, "folder_not_empty", message.New("kit.folder_not_empty", "folder", folder)).
			WithHint(message.New("kit.choose_name_or_empty"))
	}
	if err != nil {
		return tool.NewError(tool.ExecutionError, "not_written", message.New("kit.make_plugin_folder", "cause", tool.FileFault(err))).
			WithHint(message.New("kit.choose_name_or_folder"))
	}
	return nil
}

type file struct{ name, text string }

// files returns the plugin's files with its name filled in.
func (p Plan) files() ([]file, error) {
	root := "_templates"
	fill := p.replacer()
	var files []file
	dirs := []string{"common", string(p.Lang), path.Join(string(p.Lang), string(p.ABI))}
	base := languages[p.Lang].base
	if base != "" {
		dirs = []string{"common", string(base), path.Join(string(base), string(p.ABI)), string(p.Lang)}
	}
	for _, dir := range dirs {
		top := path.Join(root, dir)
		err := fs.WalkDir(templates, top, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != top && (d.Name() == string(manifest.WASI) || d.Name() == string(manifest.Extism)):
				return fs.SkipDir
			case d.IsDir(), dir == string(base) && strings.TrimPrefix(name, top+"/") == languages[base].source:
				return nil
			}
			b, err := fs.ReadFile(templates, name)
			if err != nil {
				return err
			}
			files = append(files, file{templateFileName(strings.TrimPrefix(name, top+"/")), fill.Replace(string(b))})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// templateFileName returns the file name for a template's name. Some names can't be used in
// this repository, because its own tools would read the files.
func templateFileName(name string) string {
	if name == "gitignore" {
		return ".gitignore"
	}
	return strings.TrimSuffix(name, ".tmpl")
}

func (p Plan) replacer() *strings.Replacer {
	function, fault := "", "no_name"
	if p.ABI == manifest.Extism {
		function, fault = "function = \"greet\"\n", "plugin_error"
	}
	return strings.NewReplacer(
		"{{name}}", p.Name, "{{abi}}", string(p.ABI), "{{function}}", function, "{{error}}", fault,
		"{{language}}", p.Lang.Title(), "{{source}}", p.source(), "{{needs}}", languages[p.Lang].needs, "{{ignored}}", languages[p.Lang].ignored,
	)
}

// source returns the main source file.
func (p Plan) source() string {
	l := languages[p.Lang]
	if p.ABI == manifest.Extism && l.library != "" {
		return l.library
	}
	return l.source
}
