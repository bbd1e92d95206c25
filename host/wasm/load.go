package wasm

import (
	"errors"
	"io/fs"

	"errand/host/tool"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/install"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Load reads a plugin's folder. It validates the manifest and checks the module's
// digest, kind and exports against it. It compiles nothing. Errors are *tool.Error
// and say what to do.
func (h *Host) Load(fsys fs.FS) (*Plugin, error) { return h.LoadGranted(fsys, nil) }

// LoadGranted is [Host.Load] for a plugin that was granted more folders, by the keys of its
// [[paths]]. The Roots of [Options] take precedence.
func (h *Host) LoadGranted(fsys fs.FS, granted map[string][]string) (*Plugin, error) {
	p, err := h.open(fsys, manifest.Parse, granted)
	if err != nil {
		return nil, err
	}
	if err := manifest.CheckReserved(p.manifest.ID, h.o.Reserved); err != nil {
		return nil, err
	}
	code, err := p.read()
	if err != nil {
		return nil, err
	}
	i, err := inspect.Read(code)
	if err != nil {
		return nil, withModuleName(tool.UnavailableError("bad_module", message.FromError(err)), p.module()).(*tool.Error).
			WithHint(message.New("plugin.build_or_install_again"))
	}
	p.digest = i.SHA256
	if want := p.manifest.SHA256; want != "" && want != p.digest {
		return nil, p.digestError(want, p.digest)
	}
	if err := p.checkModule(&i); err != nil {
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
	p, err := h.open(fsys, manifest.ParseBundled, nil)
	if err != nil {
		return nil, err
	}
	if p.manifest.ABI == manifest.HyperMCP {
		return nil, tool.UnavailableError("bad_manifest", message.New("plugin.bundled_hyper_mcp", "plugin", p.manifest.ID))
	}
	if p.digest = p.manifest.SHA256; p.digest == "" {
		return nil, tool.UnavailableError("bad_manifest", message.New("plugin.bundled_without_sha256", "plugin", p.manifest.ID)).
			WithHint(message.New("plugin.build_program_again"))
	}
	p.bundled = true
	p.open()
	return p, nil
}

// open reads a folder's manifest.
func (h *Host) open(fsys fs.FS, parse func([]byte) (manifest.Manifest, error), granted map[string][]string) (*Plugin, error) {
	b, err := install.ReadManifest(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tool.UnavailableError("no_manifest", message.New("plugin.no_manifest", "file", manifest.File)).WithHint(message.New("plugin.not_a_plugin"))
	}
	if err != nil {
		return nil, tool.UnavailableError("bad_manifest", message.New("plugin.read_manifest", "file", manifest.File, "cause", err))
	}
	m, err := parse(b)
	if err != nil {
		return nil, tool.UnavailableError("bad_manifest", message.FromError(err)).
			WithHint(message.New("plugin.correct_manifest", "file", manifest.File))
	}
	p := &Plugin{host: h, fsys: fsys, manifest: m, roots: newRoots(m.Paths, h.rootsWith(granted))}
	if h.o.FormerSecrets != nil {
		p.formerSecrets = h.o.FormerSecrets(m.ID)
	}
	return p, nil
}

// read returns the plugin's code.
func (p *Plugin) read() ([]byte, error) {
	code, err := install.ReadFile(p.fsys, p.manifest.Module, MaxModule)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tool.UnavailableError("no_module", message.New("plugin.no_module", "plugin", p.manifest.ID, "module", p.manifest.Module)).
			WithHint(message.New("plugin.build_or_install"))
	}
	if err != nil {
		return nil, tool.UnavailableError("no_module", message.New("plugin.read_module", "plugin", p.manifest.ID, "cause", err)).
			WithHint(message.New("plugin.build_or_install"))
	}
	return code, nil
}

// readVerified returns the plugin's code and its inspection. It fails if the code has
// changed since the plugin was loaded.
func (p *Plugin) readVerified() ([]byte, Inspection, error) {
	code, err := p.read()
	if err != nil {
		return nil, Inspection{}, err
	}
	i, err := inspect.Read(code)
	if err != nil {
		i.SHA256 = digest(code)
	}
	switch {
	case i.SHA256 != p.digest:
		return nil, i, p.digestError(p.digest, i.SHA256)
	case err != nil:
		return nil, i, tool.UnavailableError("bad_module", message.FromError(err))
	}
	return code, i, nil
}

func (p *Plugin) module() string { return p.manifest.ID + "/" + p.manifest.Module }

func (p *Plugin) digestError(want, got string) *tool.Error {
	return tool.UnavailableError("digest_mismatch", message.New("plugin.digest_mismatch", "module", p.manifest.Module, "plugin", p.manifest.ID, "got", got, "want", want)).WithHint(message.New("plugin.install_again", "file", manifest.File))
}

// checkModule checks a module against its manifest.
func (p *Plugin) checkModule(i *Inspection) error {
	if mismatch := fit.Check(&p.manifest, i, p.module()); mismatch != nil {
		return mismatch
	}
	if p.manifest.ABI == manifest.HyperMCP {
		p.hyperMCP = fit.HyperMCPVersion(i)
	}
	return nil
}
