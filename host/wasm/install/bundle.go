package install

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Size limits.
const (
	MaxModule    = 64 << 20  // bytes
	MaxArchive   = 64 << 20  // bytes, packed
	maxUnpacked  = 128 << 20 // bytes of all entries, including discarded ones
	maxEntries   = 10_000
	maxSignature = 4 << 10 // bytes
)

// Bundle is a plugin as its author published it, in memory.
type Bundle struct {
	Manifest   manifest.Manifest
	Inspection inspect.Inspection
	Source     string // local path or URL
	SourceSum  string // SHA-256 of the source file, in hex; "" for a folder
	Described  bool   // the manifest was generated from the module's own description

	files map[string][]byte // by name: the manifest, the module, signatures
}

// newBundle validates the files. It ignores files that a plugin does not need.
func newBundle(source string, files map[string][]byte) (Bundle, error) {
	text, ok := files[manifest.File]
	if !ok {
		return Bundle{}, refusedError("no_manifest", message.New("install.no_manifest", "source", source, "file", manifest.File)).
			WithHint(message.New("install.what_a_plugin_is", "file", manifest.File))
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return Bundle{}, refusedError("bad_manifest", message.New("install.bad_manifest", "source", source, "cause", err)).
			WithHint(message.New("install.correct_manifest", "file", manifest.File))
	}
	code, ok := files[m.Module]
	if !ok {
		return Bundle{}, refusedError("no_module", message.New("install.no_module", "source", source, "module", m.Module, "file", manifest.File)).
			WithHint(message.New("install.build_plugin_first"))
	}
	i, err := inspect.Read(code)
	if err != nil {
		return Bundle{}, refusedError("bad_module", message.New("install.bad_module", "module", m.Module, "source", source, "cause", err)).WithHint(message.New("install.build_plugin_again"))
	}
	if m.SHA256 != "" && m.SHA256 != i.SHA256 {
		return Bundle{}, refusedError("digest_mismatch", message.New("install.digest_mismatch", "module", m.Module, "source", source, "file", manifest.File, "got", i.SHA256, "want", m.SHA256)).
			WithHint(message.New("install.get_again_or_write_sha256", "file", manifest.File))
	}
	b := Bundle{Manifest: m, Inspection: i, Source: source, files: map[string][]byte{}}
	for _, name := range append([]string{manifest.File, m.Module}, b.signatureNames()...) {
		if content, ok := files[name]; ok {
			b.files[name] = content
		}
	}
	return b, nil
}

// fileLimit reports whether a plugin may need a file, and its maximum size.
func fileLimit(name string) (limit int64, ok bool) {
	switch {
	case name == manifest.File:
		return manifest.MaxSize, true
	case strings.HasSuffix(name, ".wasm"):
		return MaxModule, true
	case strings.HasSuffix(name, ".minisig"):
		return maxSignature, true
	}
	return 0, false
}

// Text returns the manifest's text.
func (b *Bundle) Text() []byte { return b.files[manifest.File] }

// Module returns the module's code.
func (b *Bundle) Module() []byte { return b.files[b.Manifest.Module] }

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}
