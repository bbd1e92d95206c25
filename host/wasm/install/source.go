package install

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Origin is where to read a plugin from.
type Origin struct {
	Place  string       // folder, module, archive, or https URL of an archive
	SHA256 string       // of the file, in hex; required for a URL
	Client *http.Client // for a URL; must enforce policy
	// Describe writes a manifest for a module without one. It returns nil if it
	// can't. Describe may be nil.
	Describe func(ctx context.Context, file string, code []byte) ([]byte, error)
}

// Read reads a plugin. It writes nothing.
func Read(ctx context.Context, o Origin) (Bundle, error) {
	o.SHA256 = strings.ToLower(o.SHA256)
	if o.SHA256 != "" && !hexDigest(o.SHA256) {
		return Bundle{}, refusedError("bad_digest", message.New("install.bad_digest", "sha256", o.SHA256)).
			WithHint(message.New("install.take_digest"))
	}
	if strings.Contains(o.Place, "://") {
		return readURL(ctx, o)
	}
	place, err := filepath.Abs(o.Place)
	if err != nil {
		return Bundle{}, refusedError("no_source", message.FromError(err))
	}
	info, err := os.Stat(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Bundle{}, refusedError("no_source", message.New("install.no_source", "place", place)).
			WithHint(message.New("install.give_source", "file", manifest.File))
	case err != nil:
		return Bundle{}, refusedError("no_source", message.New("install.read_plugin", "cause", tool.FileFault(err))).
			WithHint(message.New("install.give_source", "file", manifest.File))
	case info.IsDir():
		if o.SHA256 != "" {
			return Bundle{}, refusedError("bad_digest", message.New("install.folder_has_no_digest")).WithHint(message.New("install.leave_sha256_out", "file", manifest.File))
		}
		return readFolder(place, "")
	case !info.Mode().IsRegular(): // opening a pipe would block
		return Bundle{}, refusedError("no_source", message.New("install.source_not_a_file", "place", place)).
			WithHint(message.New("install.give_source", "file", manifest.File))
	case filepath.Base(place) == manifest.File:
		return readFolder(filepath.Dir(place), "")
	}
	content, err := readFile(place, MaxArchive)
	if err != nil {
		return Bundle{}, refusedError("no_source", message.New("install.read_plugin", "cause", tool.FileFault(err))).WithHint(message.New("install.check_source", "limit", MaxArchive))
	}
	if err := checkDigest(place, o.SHA256, content); err != nil {
		return Bundle{}, err
	}
	if kindOf(content) != kindModule {
		return readArchive(place, content)
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(place), manifest.File)); err == nil {
		b, err := readFolder(filepath.Dir(place), filepath.Base(place))
		if err == nil { // it was read again
			err = checkDigest(place, o.SHA256, b.Module())
		}
		return b, err
	}
	b, err := describeModule(ctx, o, place, content)
	if err == nil && b == nil {
		err = noManifestError(place, content)
	}
	if err != nil {
		return Bundle{}, err
	}
	return *b, nil
}

// describeModule returns the bundle of a module that describes its own tools, or nil if
// it can't.
func describeModule(ctx context.Context, o Origin, place string, code []byte) (*Bundle, error) {
	if o.Describe == nil {
		return nil, nil
	}
	name := path.Base(filepath.ToSlash(place))
	text, err := o.Describe(ctx, name, code)
	if err != nil || text == nil {
		return nil, err
	}
	b, err := newBundle(place, map[string][]byte{manifest.File: text, name: code})
	b.SourceSum, b.Described = sum(code), true
	return &b, err
}

// readArchive returns the plugin in an archive.
func readArchive(place string, content []byte) (Bundle, error) {
	var files map[string][]byte
	var err error
	switch kindOf(content) {
	case kindGzip:
		files, err = untar(content)
	case kindZip:
		files, err = unzip(content)
	default:
		return Bundle{}, formatError(place, content)
	}
	if err != nil {
		cure := message.New(fetchAgain) // for errors that mean damage
		if mismatch, ok := errors.AsType[*unfitError](err); ok {
			cure = mismatch.fix
		}
		return Bundle{}, refusedError("bad_archive", message.New("install.bad_archive", "place", place, "cause", damage(err))).WithHint(cure)
	}
	b, err := newBundle(place, files)
	b.SourceSum = sum(content)
	return b, err
}

// damage explains an archive reader's error.
func damage(err error) message.Message {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return message.New("install.archive_ends_early")
	case errors.Is(err, tar.ErrHeader):
		return message.New("install.not_a_tar")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum):
		return message.New("install.bad_checksum")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zip.ErrFormat):
		return message.New("install.archive_damaged")
	}
	return message.FromError(err)
}

// packers are unsupported archive formats, by the bytes at an offset.
var packers = []struct {
	offset int
	begins string
	code   string
	fix    string // code of the hint
}{
	{257, "ustar", "install.is_plain_tar", "install.compress_tar"},
	{0, "\xfd7zXZ\x00", "install.is_xz", "install.pack_with_gzip"},
	{0, "BZh", "install.is_bzip2", "install.pack_with_gzip"},
	{0, "\x28\xb5\x2f\xfd", "install.is_zstd", "install.pack_with_gzip"},
	{0, "7z\xbc\xaf\x27\x1c", "install.is_7z", "install.pack_as_zip"},
	{0, "Rar!", "install.is_rar", "install.pack_as_zip"},
	{0, "PK\x05\x06", "install.is_empty_zip", packOne},
}

// formatError returns the error for a file in an unsupported format.
func formatError(place string, content []byte) *tool.Error {
	for _, p := range packers {
		if len(content) >= p.offset+len(p.begins) && string(content[p.offset:p.offset+len(p.begins)]) == p.begins {
			return refusedError("no_archive", message.New(p.code, "place", place)).WithHint(message.New(p.fix, "file", manifest.File))
		}
	}
	if len(content) == 0 {
		return refusedError("no_archive", message.New("install.source_empty", "place", place)).WithHint(message.New("install.build_or_fetch_again"))
	}
	return refusedError("no_archive", message.New("install.no_archive", "place", place)).
		WithHint(message.New("install.give_folder"))
}

// readFolder reads a plugin from its folder. module is the file that was named
// instead of the folder, or "".
func readFolder(dir, module string) (Bundle, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Bundle{}, refusedError("no_source", message.New("install.read_plugin", "cause", tool.FileFault(err))).WithHint(message.New("install.check_folder"))
	}
	defer root.Close()
	text, err := readIn(root, manifest.File)
	if errors.Is(err, fs.ErrNotExist) {
		return newBundle(dir, nil)
	}
	if err != nil {
		return Bundle{}, openError(root, "bad_manifest", dir, manifest.File, err)
	}
	files := map[string][]byte{manifest.File: text}
	m, err := manifest.Parse(text)
	if err != nil { // newBundle reports it in full
		return newBundle(dir, files)
	}
	if module != "" && module != m.Module {
		return Bundle{}, refusedError("other_module", message.New("install.other_module", "module", module, "file", manifest.File, "named", m.Module)).
			WithHint(message.New("install.install_folder", "file", manifest.File))
	}
	b := Bundle{Manifest: m}
	for _, name := range append([]string{m.Module}, b.signatureNames()...) {
		content, err := readIn(root, name)
		if err == nil {
			files[name] = content
		} else if !errors.Is(err, fs.ErrNotExist) {
			return Bundle{}, openError(root, "no_module", dir, name, err)
		}
	}
	return newBundle(dir, files)
}

// openError returns the error for a file of a folder that can't be read.
func openError(root *os.Root, code, dir, name string, err error) *tool.Error {
	if isLink(root, name) {
		return refusedError(code, message.New("install.link_out_of_folder", "name", name, "folder", dir)).
			WithHint(message.New("install.copy_linked_file"))
	}
	return refusedError(code, message.New("install.read_file", "name", name, "folder", dir, "cause", tool.FileFault(err))).WithHint(message.New("install.put_file"))
}

// noManifestError returns the error for a module without a manifest, with how to write one.
func noManifestError(place string, code []byte) *tool.Error {
	e := refusedError("no_manifest", message.New("install.module_alone", "place", place, "file", manifest.File))
	i, err := inspect.Read(code)
	if err != nil {
		return refusedError("bad_module", message.New("module.of", "module", place, "fault", err)).WithHint(message.New("install.build_plugin_again"))
	}
	if mismatch := fit.CheckModule(&i, place); mismatch != nil {
		return mismatch
	}
	module := filepath.Base(place)
	if i.ABI == inspect.Extism || i.Func("_start") == nil {
		return e.WithHint(message.New("install.write_extism_manifest", "module", module, "functions", i.Entries()))
	}
	return e.WithHint(message.New("install.write_wasi_manifest", "module", module))
}

type kind int

const (
	kindOther kind = iota
	kindModule
	kindGzip
	kindZip
)

// kindOf detects a file's format by its first bytes, whatever its name.
func kindOf(content []byte) kind {
	switch begins := func(s string) bool { return len(content) >= len(s) && string(content[:len(s)]) == s }; {
	case begins("\x00asm"):
		return kindModule
	case begins("\x1f\x8b"):
		return kindGzip
	case begins("PK\x03\x04"):
		return kindZip
	}
	return kindOther
}

// checkDigest checks a file against the digest that the user gave.
func checkDigest(place, want string, content []byte) error {
	if got := sum(content); want != "" && got != want {
		return refusedError("digest_mismatch", message.New("install.other_digest", "place", place, "got", got, "want", want)).
			WithHint(message.New("install.get_digest_from_author"))
	}
	return nil
}

func hexDigest(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// readIn reads a file of a plugin's folder. It does not follow links out of the
// folder.
func readIn(root *os.Root, name string) ([]byte, error) {
	limit, ok := fileLimit(name)
	if !ok {
		limit = MaxModule // a module may have any other name
	}
	return readBy(root.Stat, root.Open, name, limit)
}

func readFile(name string, limit int64) ([]byte, error) { return readBy(os.Stat, os.Open, name, limit) }

// ReadFile reads a regular file of a plugin's folder with at most limit bytes. It
// refuses devices and pipes, which could block or never end. A missing file is
// fs.ErrNotExist.
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	stat := func(name string) (fs.FileInfo, error) { return fs.Stat(fsys, name) }
	return readBy(stat, fsys.Open, name, limit)
}

// ReadManifest reads the plugin.toml of a folder like [ReadFile].
func ReadManifest(fsys fs.FS) ([]byte, error) { return ReadFile(fsys, manifest.File, manifest.MaxSize) }

// readBy reads a regular file. It checks the type before opening, because opening
// a pipe blocks, and again afterwards.
func readBy[F fs.File](stat func(string) (fs.FileInfo, error), open func(string) (F, error), name string, limit int64) ([]byte, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, message.Error("install.not_a_file", "name", name)
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, message.Error("install.not_a_file", "name", name)
	}
	return boundedReader(f, name, limit)
}

// boundedReader reads all of r. More than limit bytes is an error.
func boundedReader(r io.Reader, name string, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = message.Error("install.file_too_long", "name", name, "limit", limit)
	}
	return content, err
}
