package kit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
)

// BuildOptions say how a plugin is built.
type BuildOptions struct {
	Env    []string  // as os.Environ gives it: compilers are looked for on its PATH and get it
	Output io.Writer // what compilers say; nil: nowhere
	Debug  bool      // keep what leads from code to source lines; the module is several times as large
	AsItIs bool      // compile nothing: the module is there, made by other means
	// Reserved are the ids that no plugin may have: see [manifest.Free].
	Reserved []string
	// Runs says what beside its imports and exports keeps a module from being run,
	// with a name for messages; nil: nobody asks.
	Runs func(ctx context.Context, name string, module []byte) error
}

// Built is a plugin that was built.
type Built struct {
	Lang     Lang   `json:"lang,omitempty"` // empty: taken as it is
	Compiler string `json:"compiler,omitempty"`
	Module   string `json:"module"` // path of the file
	Size     int    `json:"size"`   // bytes
	SHA256   string `json:"sha256"`
	Changed  bool   `json:"changed"` // the manifest said otherwise before
}

// Build compiles the sources in a plugin's folder into the module that its
// manifest names, and writes the module's SHA-256 into the manifest, where all
// else stays as it is. A module that can't be run, or that the manifest doesn't
// fit, is an error. The same sources and compilers give the same module, wherever
// the folder stands. It ends with ctx.
//
// Errors are *tool.Error: a manifest with faults, a toolchain that is missing
// and how to get it, a compiler that refused (it has told Output why).
func Build(ctx context.Context, folder string, o BuildOptions) (Built, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Built{}, err
	}
	m, err := ReadManifest(folder)
	if err != nil {
		return Built{}, err
	}
	if err := manifest.Free(m.ID, o.Reserved); err != nil {
		return Built{}, err
	}
	built := Built{Module: filepath.Join(folder, m.Module)}
	if !o.AsItIs {
		if err := built.compile(ctx, folder, m, o); err != nil {
			return built, err
		}
	}
	module, err := install.ReadFile(install.Folder(folder), m.Module, install.MaxModule)
	if errors.Is(err, fs.ErrNotExist) {
		return built, tool.Errorf(tool.ValidationError, "no_module", "%s is not there", built.Module).
			WithHint("build it, or say its name in module of %s", manifest.File)
	} else if err != nil {
		return built, tool.Errorf(tool.ValidationError, "no_module", "read the module of %s: %v", folder, err).WithHint("build it, or put a file in its place")
	}
	unfit := o.unfit(ctx, &m, module)
	if unfit != nil && o.AsItIs { // what can't be loaded is not vouched for
		return built, unfit
	}
	if err := built.pin(folder, module); err != nil {
		return built, err
	}
	return built, unfit
}

// unfit is why a module can't be the plugin's, nil where it can.
func (o BuildOptions) unfit(ctx context.Context, m *manifest.Manifest, module []byte) error {
	name := m.ID + "/" + m.Module
	i, err := inspect.Read(module)
	if err != nil {
		return tool.Errorf(tool.ValidationError, "bad_module", "%s: %v", name, err).WithHint("build it again")
	}
	if unfit := fit.Check(m, &i, name); unfit != nil {
		return unfit
	}
	if o.Runs == nil {
		return nil
	}
	return o.Runs(ctx, name, module)
}

// ReadManifest reads the manifest of a plugin's folder.
func ReadManifest(folder string) (manifest.Manifest, error) {
	place := filepath.Join(folder, manifest.File)
	b, err := install.ReadManifest(os.DirFS(folder))
	info, lookErr := os.Stat(folder)
	noFolder := func(format string, args ...any) error {
		return tool.Errorf(tool.ValidationError, "no_folder", format, args...).
			WithHint("name the folder that a plugin's author works in, or make a new one: errand plugin new NAME")
	}
	switch {
	case errors.Is(lookErr, fs.ErrNotExist):
		return manifest.Manifest{}, noFolder("there is no folder %s", folder)
	case lookErr != nil:
		return manifest.Manifest{}, noFolder("%s", tool.FileFault(lookErr))
	case !info.IsDir():
		return manifest.Manifest{}, noFolder("%s is a file, and no plugin's folder", folder)
	case errors.Is(err, fs.ErrNotExist):
		return manifest.Manifest{}, tool.Errorf(tool.ValidationError, "no_manifest", "%s has no %s", folder, manifest.File).
			WithHint("go to the plugin's folder or name it, or make a new one: errand plugin new NAME")
	case err != nil:
		return manifest.Manifest{}, tool.Errorf(tool.ValidationError, "manifest_unreadable", "read %s: %s", place, tool.FileFault(err)).
			WithHint("put a file of that name in its place")
	}
	m, err := manifest.Parse(b)
	if err != nil {
		return m, tool.Errorf(tool.ValidationError, "bad_manifest", "%s", strings.TrimSpace(err.Error())).WithHint("correct %s", place)
	}
	return m, nil
}

// compile makes the module and puts it in its place in one move, so that who
// reads it meanwhile gets the old one or the new one.
func (b *Built) compile(ctx context.Context, folder string, m manifest.Manifest, o BuildOptions) error {
	lang, err := Detect(folder)
	if err != nil {
		return err
	}
	b.Lang = lang
	if o.Output == nil {
		o.Output = io.Discard
	}
	work := job{machine: machine{env: o.Env, out: o.Output}, folder: folder, library: m.ABI != manifest.WASI, debug: o.Debug, name: m.ID}
	chain, err := work.toolchain(ctx, lang)
	if err != nil {
		return err
	}
	b.Compiler = chain.version
	dir, err := os.MkdirTemp(folder, ".build-")
	if err != nil {
		return tool.Errorf(tool.ExecutionError, "not_written", "build in %s: %v", folder, err)
	}
	defer os.RemoveAll(dir)
	work.out = filepath.Join(dir, "module.wasm")
	if err := chain.compile(ctx, work); err != nil {
		return err
	}
	module, err := os.ReadFile(work.out)
	if err != nil {
		return tool.Errorf(tool.ExecutionError, "build_failed", "%s left no module: %v", chain.version, err)
	}
	if !o.Debug {
		if module, err = inspect.WithoutDebug(module); err != nil {
			return tool.Errorf(tool.ExecutionError, "build_failed", "%s left no WebAssembly: %v", chain.version, err)
		}
	}
	if err := os.WriteFile(work.out, module, 0o644); err != nil {
		return tool.Errorf(tool.ExecutionError, "not_written", "write the module: %v", err)
	}
	if err := os.Rename(work.out, b.Module); err != nil {
		return tool.Errorf(tool.ExecutionError, "not_written", "write the module: %v", err)
	}
	return nil
}

// pin writes the module's digest into the manifest.
func (b *Built) pin(folder string, module []byte) error {
	sum := sha256.Sum256(module)
	b.Size, b.SHA256 = len(module), hex.EncodeToString(sum[:])
	place := filepath.Join(folder, manifest.File)
	doc, err := install.ReadManifest(os.DirFS(folder))
	if err != nil {
		return tool.Errorf(tool.ExecutionError, "bad_manifest", "read the manifest: %v", err)
	}
	pinned, err := manifest.Pin(doc, b.SHA256)
	if err != nil {
		return tool.Errorf(tool.ValidationError, "bad_manifest", "write sha256 into %s: %v", place, err)
	}
	if b.Changed = string(pinned) != string(doc); !b.Changed {
		return nil
	}
	return Rewrite(place, pinned)
}

// Rewrite puts text in the place of a file, in one move: a full disk leaves the
// old one. The file keeps its mode, and a link goes on leading to it.
func Rewrite(name string, text []byte) error {
	err := func() error {
		name, err := filepath.EvalSymlinks(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		next := name + ".new"
		if err := os.WriteFile(next, text, info.Mode().Perm()); err != nil {
			return errors.Join(err, os.Remove(next))
		}
		return os.Rename(next, name)
	}()
	if err != nil {
		return tool.Errorf(tool.ExecutionError, "not_written", "write %s: %v", name, err)
	}
	return nil
}

// job is one compilation.
type job struct {
	machine
	folder  string
	name    string // the plugin's id
	library bool   // exports functions, and has no main of its own
	debug   bool
	out     string // where the module goes
}

// toolchain is a compiler that was found.
type toolchain struct {
	version string
	compile func(ctx context.Context, j job) error
}

// missing says what is not there and how to get it.
func missing(l Lang, format string, args ...any) error {
	return tool.Errorf(tool.ToolUnavailable, "toolchain_missing", "%s can't be built here: %s", l.Title(), fmt.Sprintf(format, args...)).
		WithHint("%s", l.cure())
}
