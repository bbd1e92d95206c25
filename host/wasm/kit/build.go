package kit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"errand/host/atomicfile"
	"errand/host/tool"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// BuildOptions configure [Build].
type BuildOptions struct {
	Env    []string  // environment of the compilers, in the format of os.Environ; its PATH finds them
	Output io.Writer // receives the compilers' output; nil discards it
	// Note is called with a message before work that takes long. It may be nil.
	Note   func(message.Message)
	Debug  bool // keep source positions; the module is several times as large
	AsItIs bool // don't compile; use the module that exists
	// Reserved are ids that plugins can't have; see [manifest.CheckReserved].
	Reserved []string
	// Runs returns why a module can't run, apart from its imports and exports.
	// id is the plugin's, and name is for messages. Nil skips the check.
	Runs func(ctx context.Context, id, name string, module []byte) error
}

// BuildResult is the result of [Build].
type BuildResult struct {
	Lang     Lang   `json:"lang,omitempty"` // empty: taken as it is
	Compiler string `json:"compiler,omitempty"`
	Module   string `json:"module"` // path of the file
	Size     int    `json:"size"`   // bytes
	SHA256   string `json:"sha256"`
	Changed  bool   `json:"changed"` // the manifest said otherwise before
}

// Build compiles a plugin's sources into the module that its manifest names and
// writes the module's SHA-256 into the manifest. A module that can't run or does
// not match the manifest is an error. The same sources and compilers give the same
// module in any folder. It ends with ctx.
//
// Errors are *tool.Error: an invalid manifest, a missing toolchain with how to
// install it, or a failed compilation (the compiler's messages are in Output).
func Build(ctx context.Context, folder string, o BuildOptions) (BuildResult, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return BuildResult{}, err
	}
	m, err := ReadManifest(folder)
	if err != nil {
		return BuildResult{}, err
	}
	if err := manifest.CheckReserved(m.ID, o.Reserved); err != nil {
		return BuildResult{}, err
	}
	built := BuildResult{Module: filepath.Join(folder, m.Module)}
	if !o.AsItIs {
		if err := built.compile(ctx, folder, m, o); err != nil {
			return built, err
		}
	}
	module, err := install.ReadFile(install.Folder(folder), m.Module, install.MaxModule)
	if errors.Is(err, fs.ErrNotExist) {
		return built, tool.NewError(tool.ValidationError, "no_module", message.New("kit.no_module", "module", built.Module)).
			WithHint(message.New("kit.build_or_name_module", "file", manifest.File))
	} else if err != nil {
		return built, tool.NewError(tool.ValidationError, "no_module", message.New("kit.read_module", "folder", folder, "cause", err)).WithHint(message.New("kit.build_or_put_file"))
	}
	mismatch := o.checkModule(ctx, &m, module)
	if mismatch != nil && o.AsItIs { // don't pin a module that can't be loaded
		return built, mismatch
	}
	if err := built.pin(folder, module); err != nil {
		return built, err
	}
	return built, mismatch
}

// checkModule returns why a module can't be the plugin's, or nil.
func (o BuildOptions) checkModule(ctx context.Context, m *manifest.Manifest, module []byte) error {
	name := m.ID + "/" + m.Module
	i, err := inspect.Read(module)
	if err != nil {
		return tool.NewError(tool.ValidationError, "bad_module", message.New("module.of", "module", name, "fault", err)).WithHint(message.New("kit.build_again"))
	}
	if mismatch := fit.Check(m, &i, name); mismatch != nil {
		return mismatch
	}
	if o.Runs == nil {
		return nil
	}
	return o.Runs(ctx, m.ID, name, module)
}

// ReadManifest reads the manifest of a plugin's folder.
func ReadManifest(folder string) (manifest.Manifest, error) {
	place := filepath.Join(folder, manifest.File)
	b, err := install.ReadManifest(os.DirFS(folder))
	info, lookErr := os.Stat(folder)
	noFolder := func(m message.Message) error {
		return tool.NewError(tool.ValidationError, "no_folder", m).
			WithHint(message.New("kit.name_folder"))
	}
	switch {
	case errors.Is(lookErr, fs.ErrNotExist):
		return manifest.Manifest{}, noFolder(message.New("kit.no_folder", "folder", folder))
	case lookErr != nil:
		return manifest.Manifest{}, noFolder(tool.FileFault(lookErr))
	case !info.IsDir():
		return manifest.Manifest{}, noFolder(message.New("kit.not_a_folder", "folder", folder))
	case errors.Is(err, fs.ErrNotExist):
		return manifest.Manifest{}, tool.NewError(tool.ValidationError, "no_manifest", message.New("kit.no_manifest", "folder", folder, "file", manifest.File)).
			WithHint(message.New("kit.go_to_folder"))
	case err != nil:
		return manifest.Manifest{}, tool.NewError(tool.ValidationError, "manifest_unreadable", message.New("kit.read_manifest_at", "path", place, "cause", tool.FileFault(err))).
			WithHint(message.New("kit.put_file"))
	}
	m, err := manifest.Parse(b)
	if err != nil {
		return m, tool.NewError(tool.ValidationError, "bad_manifest", message.FromError(err)).WithHint(message.New("kit.correct_manifest", "path", place))
	}
	return m, nil
}

// compile makes the module and moves it into place atomically.
func (b *BuildResult) compile(ctx context.Context, folder string, m manifest.Manifest, o BuildOptions) error {
	lang, err := Detect(folder)
	if err != nil {
		return err
	}
	b.Lang = lang
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Note == nil {
		o.Note = func(message.Message) {}
	}
	work := job{machine: machine{env: o.Env, out: o.Output, note: o.Note}, folder: folder, library: m.ABI != manifest.WASI, debug: o.Debug, name: m.ID}
	chain, err := compilers[lang](work, ctx)
	if err != nil {
		return err
	}
	b.Compiler = chain.version
	dir, err := os.MkdirTemp(folder, ".build-")
	if err != nil {
		return tool.NewError(tool.ExecutionError, "not_written", message.New("kit.build_in_folder", "folder", folder, "cause", err))
	}
	defer os.RemoveAll(dir)
	work.out = filepath.Join(dir, "module.wasm")
	if err := chain.compile(ctx, work); err != nil {
		return err
	}
	module, err := os.ReadFile(work.out)
	if err != nil {
		return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.no_module_made", "compiler", chain.version, "cause", err))
	}
	if !o.Debug {
		if module, err = inspect.WithoutDebug(module); err != nil {
			return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.no_webassembly_made", "compiler", chain.version, "cause", err))
		}
	}
	if err := os.WriteFile(work.out, module, 0o644); err != nil {
		return tool.NewError(tool.ExecutionError, "not_written", message.New("kit.write_module", "cause", err))
	}
	if err := os.Rename(work.out, b.Module); err != nil {
		return tool.NewError(tool.ExecutionError, "not_written", message.New("kit.write_module", "cause", err))
	}
	return nil
}

// pin writes the module's digest into the manifest.
func (b *BuildResult) pin(folder string, module []byte) error {
	sum := sha256.Sum256(module)
	b.Size, b.SHA256 = len(module), hex.EncodeToString(sum[:])
	place := filepath.Join(folder, manifest.File)
	doc, err := install.ReadManifest(os.DirFS(folder))
	if err != nil {
		return tool.NewError(tool.ExecutionError, "bad_manifest", message.New("kit.read_manifest", "cause", err))
	}
	pinned, err := manifest.Pin(doc, b.SHA256)
	if err != nil {
		return tool.NewError(tool.ValidationError, "bad_manifest", message.New("kit.write_sha256", "path", place, "cause", err))
	}
	if b.Changed = string(pinned) != string(doc); !b.Changed {
		return nil
	}
	return Rewrite(place, pinned)
}

// Rewrite replaces a file's content atomically. The file keeps its mode, and a link its
// target.
func Rewrite(name string, text []byte) error {
	if err := atomicfile.Write(name, text, 0o644); err != nil {
		return tool.NewError(tool.ExecutionError, "not_written", message.New("kit.write_file", "name", name, "cause", err))
	}
	return nil
}

// job is one compilation.
type job struct {
	machine
	folder  string
	name    string // the plugin's id
	library bool   // exports functions and has no main
	debug   bool
	out     string // path of the module
}

// toolchain is a compiler that was found.
type toolchain struct {
	version string
	compile func(ctx context.Context, j job) error
}

// compilers find the compiler of each language.
var compilers = map[Lang]func(j job, ctx context.Context) (toolchain, error){
	Go: job.golang, Rust: job.rust, C: job.clang, CPP: job.clangPlusPlus, AssemblyScript: job.assemblyscript, JavaScript: job.javascript,
}

// missingError returns the error for a missing compiler, with how to install it.
func missingError(l Lang, m message.Message) error {
	return tool.NewError(tool.ToolUnavailable, "toolchain_missing", message.New("kit.toolchain_missing", "language", l.Title(), "reason", m)).
		WithHint(message.New(languages[l].installHint))
}
