package wasm

import (
	"errors"
	"io/fs"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
)

// Load reads a plugin's folder. It validates the manifest and checks the module's
// digest, kind and exports against it. It compiles nothing. Errors are *tool.Error
// and say what to do.
func (h *Host) Load(fsys fs.FS) (*Plugin, error) {
	p, err := h.open(fsys, manifest.Parse)
	if err != nil {
		return nil, err
	}
	if err := manifest.Free(p.manifest.ID, h.o.Reserved); err != nil {
		return nil, err
	}
	code, err := p.read()
	if err != nil {
		return nil, err
	}
	i, err := inspect.Read(code)
	if err != nil {
		return nil, named(badModule("%v", err), p.module()).(*tool.Error).
			WithHint("build the plugin again, or install it again")
	}
	p.digest = i.SHA256
	if want := p.manifest.SHA256; want != "" && want != p.digest {
		return nil, p.changed(want, p.digest)
	}
	if err := p.fits(&i); err != nil {
		return nil, err
	}
	p.open()
	return p, nil
}

// LoadBundled loads a plugin that is part of the program. It reads only the
// manifest, which must contain the module's digest. The first call reads the
// module and checks its digest. Reading all modules at start would take most of
// the start-up time.
func (h *Host) LoadBundled(fsys fs.FS) (*Plugin, error) {
	p, err := h.open(fsys, manifest.ParseBundled)
	if err != nil {
		return nil, err
	}
	if p.manifest.ABI == manifest.HyperMCP {
		return nil, unavailable("bad_manifest", "plugin %s is bundled and of abi hyper-mcp, whose module must be read first", p.manifest.ID)
	}
	if p.digest = p.manifest.SHA256; p.digest == "" {
		return nil, unavailable("bad_manifest", "plugin %s is bundled and its manifest has no sha256", p.manifest.ID).
			WithHint("build the program again with make build")
	}
	p.open()
	return p, nil
}

// open reads a folder's manifest.
func (h *Host) open(fsys fs.FS, parse func([]byte) (manifest.Manifest, error)) (*Plugin, error) {
	b, err := install.ReadManifest(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unavailable("no_manifest", "the folder has no %s", manifest.File).WithHint("it is no plugin, or it is not complete")
	}
	if err != nil {
		return nil, unavailable("bad_manifest", "read %s: %v", manifest.File, err)
	}
	m, err := parse(b)
	if err != nil {
		return nil, unavailable("bad_manifest", "%s", strings.ReplaceAll(err.Error(), "\n", "; ")).
			WithHint("correct %s, or install the plugin again", manifest.File)
	}
	return &Plugin{host: h, fsys: fsys, manifest: m, roots: rootsOf(m.Paths, h.rootsFor(m.ID))}, nil
}

// read returns the plugin's code.
func (p *Plugin) read() ([]byte, error) {
	code, err := install.ReadFile(p.fsys, p.manifest.Module, MaxModule)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unavailable("no_module", "plugin %s: its module %s is not there", p.manifest.ID, p.manifest.Module).
			WithHint("build the plugin (errand plugin build), or install it again")
	}
	if err != nil {
		return nil, unavailable("no_module", "plugin %s: read its module: %v", p.manifest.ID, err).
			WithHint("build the plugin, or install it again")
	}
	return code, nil
}

// verified returns the plugin's code if it has not changed since it was loaded, so
// that the inspected code is the code that runs.
func (p *Plugin) verified() ([]byte, error) {
	code, err := p.read()
	if err != nil {
		return nil, err
	}
	if now := digest(code); now != p.digest {
		return nil, p.changed(p.digest, now)
	}
	return code, nil
}

func (p *Plugin) module() string { return p.manifest.ID + "/" + p.manifest.Module }

func (p *Plugin) changed(want, got string) *tool.Error {
	return unavailable("digest_mismatch", "%s of the plugin %s is not what its manifest or its installation says: its SHA-256 is %s and not %s",
		p.manifest.Module, p.manifest.ID, got, want).WithHint("install the plugin again; if you built it yourself, errand plugin build writes the new sha256 into %s", manifest.File)
}

// fits checks a module against its manifest.
func (p *Plugin) fits(i *Inspection) error {
	if unfit := fit.Check(&p.manifest, i, p.module()); unfit != nil {
		return unfit
	}
	if p.manifest.ABI == manifest.HyperMCP {
		p.speaks = fit.Speaks(i)
	}
	return nil
}
