package wasm

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/manifest"
)

// Plugin is a plugin's folder, loaded. It is good for several goroutines.
type Plugin struct {
	host     *Host
	fsys     fs.FS
	manifest Manifest
	digest   string
	roots    roots
	keep     *sticky // of the tools that are not of class read; nil unless state is sticky
	keepRead *sticky // of those that are
}

// Manifest is what the plugin says of itself.
func (p *Plugin) Manifest() Manifest { return p.manifest }

// Digest is the SHA-256 of the plugin's module, in hex.
func (p *Plugin) Digest() string { return p.digest }

// Prepare compiles the plugin, which else its first call does. It may be called
// ahead of time and more than once; it ends with ctx, while compiling goes on.
func (p *Plugin) Prepare(ctx context.Context) error {
	leave, err := p.host.enter()
	if err != nil {
		return err
	}
	defer leave()
	_, err = p.host.compiled(ctx, p.digest, p.verified)
	return named(err, p.module())
}

// Tools are the plugin's tools. They are of use until the host is closed.
func (p *Plugin) Tools() []tool.Tool {
	tools := make([]tool.Tool, len(p.manifest.Tools))
	for i, t := range p.manifest.Tools {
		spec := p.manifest.Spec(t)
		spec.Digest = p.digest
		roots, keep := p.roots, p.keep
		if t.SideEffectClass == tool.Read {
			roots, keep = p.roots.readOnly(), p.keepRead
		}
		spec.Paths = roots.specs()
		made := &pluginTool{p, t, spec.WithDefaults(), roots, keep}
		tools[i] = made
		if t.Reconcile != "" {
			tools[i] = &reconcilable{made}
		}
	}
	return tools
}

// pluginTool is one tool of a plugin.
type pluginTool struct {
	*Plugin
	tool  manifest.Tool
	spec  tool.Spec
	roots roots // as its class may touch them
	keep  *sticky
}

var (
	_ tool.Tool     = (*pluginTool)(nil)
	_ tool.Preparer = (*pluginTool)(nil)
)

func (t *pluginTool) Spec() tool.Spec { return t.spec }

// Call implements [tool.Tool]. What the plugin answers is a result, and so is
// what kept it from starting. A plugin that changes something and ended in any
// other way is a Go error: nobody knows what it had done by then.
func (t *pluginTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	done, err := t.enter(ctx, call, t.tool.Function)
	var result tool.Result
	switch {
	case err != nil:
		result = failed(err)
	case t.manifest.ABI == manifest.Extism:
		result = t.extismResult(done)
	default:
		result = t.commandResult(done)
	}
	if e := result.Error; e != nil && t.spec.SideEffectClass != tool.Read && slices.Contains(brokenOff, e.Code) {
		return tool.Result{}, e
	}
	return result, nil
}

// brokenOff are the codes of ends that are not the plugin's own answer.
var brokenOff = []string{
	"plugin_trap", "plugin_exited", "bad_output", "output_limit", "memory_limit", "interrupted", "deadline_exceeded",
	"http_failed", "host_denied", "host_closed", "http_body_limit", "http_requests_limit", "vars_limit", "log_lines_limit",
}

// enter has the plugin do a call: a WASI command by the call's tool, an Extism
// plugin by a function.
func (t *pluginTool) enter(ctx context.Context, call tool.Call, function string) (outcome, error) {
	args, err := t.roots.toGuest(call.Args, t.spec.ArgsSchema)
	if err != nil {
		return outcome{}, err
	}
	set, err := t.settings()
	if err != nil {
		return outcome{}, err
	}
	j := t.job()
	if t.manifest.ABI == manifest.Extism {
		j.function = function
		j.input, err = extismInput(args)
		j.call = t.extismCall(set)
	} else {
		j.function = "_start"
		j.input, err = commandInput(call, args, set.values)
	}
	if err != nil {
		return outcome{}, tool.Errorf(tool.ValidationError, "bad_args", "arguments of %s are not JSON: %v", t.spec.Name, err)
	}
	done, err := t.host.run(ctx, j)
	if err != nil {
		return outcome{}, t.placed(named(err, t.module()))
	}
	return done, nil
}

func (t *pluginTool) job() job {
	l := t.manifest.Limits
	return job{
		name: "plugin " + t.manifest.ID, digest: t.digest, load: t.verified, keep: t.keep, mounts: t.roots.mounts(),
		limits: limits{memory: l.Memory, output: l.Output, timeout: time.Duration(l.TimeoutMS) * time.Millisecond},
		sink:   func(level, message string) { t.host.log(t.manifest.ID, level, t.roots.inText(message)) },
	}
}

func (t *pluginTool) extismCall(set settings) *extism.Call {
	return &extism.Call{
		Config: set.text(), Vars: map[string][]byte{}, Secrets: set.secrets, LogLevel: extism.Info,
		Client: t.host.client(t.spec.Name, t.manifest.Hosts), Hosts: t.manifest.Hosts,
		ReadOnly: t.tool.SideEffectClass == tool.Read,
		Limits:   extism.DefaultLimits(),
	}
}

// placed is err with the plugin's paths as this machine has them.
func (t *pluginTool) placed(err error) error {
	e := *tool.AsError(err)
	e.Message, e.Hint = t.roots.inText(e.Message), t.roots.inText(e.Hint)
	return &e
}

func failed(err error) tool.Result { return tool.Result{Error: tool.AsError(err)} }
