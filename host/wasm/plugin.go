package wasm

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/manifest"
)

// Plugin is a plugin's folder, loaded. It is good for several goroutines.
type Plugin struct {
	host     *Host
	fsys     fs.FS
	manifest Manifest
	digest   string
	roots    roots
	speaks   hypermcp.Version // of abi hyper-mcp
	unit     *unit
}

// open makes ready for calls, once the digest is known.
func (p *Plugin) open() {
	p.unit = p.host.add(&unit{
		name: "plugin " + p.manifest.ID, digest: p.digest, load: p.verified, setup: p.setup,
		sticky: p.manifest.State == manifest.Sticky, atOnce: p.manifest.Limits.Instances, raise: p.raise,
	})
}

// Close ends the plugin: its calls are broken off and waited for, and what was
// kept for it is released. Calls after it fail. Where ctx ends first the rest is
// released once it can be. It may be called more than once.
func (p *Plugin) Close(ctx context.Context) error {
	return p.unit.close(ctx)
}

// Manifest is what the plugin says of itself.
func (p *Plugin) Manifest() Manifest { return p.manifest }

// Digest is the SHA-256 of the plugin's module, in hex.
func (p *Plugin) Digest() string { return p.digest }

// Prepare compiles the plugin and makes an instance, which else its first call
// does. It may be called ahead of time and more than once; it ends with ctx,
// while compiling goes on.
func (p *Plugin) Prepare(ctx context.Context) error {
	return named(p.unit.prepare(ctx, p.kind(false)), p.module())
}

// Begins has the plugin begin once, as it does before its first call, and answers
// what every call of it would end with where it can't: an initialiser or a warm-up
// that breaks, more memory than it may have. nil where that can't be told yet,
// because a setting has no value. Errors are *tool.Error; within ctx it takes at
// most as long as a call.
func (p *Plugin) Begins(ctx context.Context) error {
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	set, err := p.settings()
	if err != nil || len(set.values) < len(p.manifest.Config) {
		return nil
	}
	return named(p.unit.begins(ctx, p.kind(false), time.Duration(p.manifest.Limits.TimeoutMS)*time.Millisecond), p.module())
}

// Standing is how a plugin's calls are done, for people who look into it.
type Standing struct {
	Held   string `json:"held,omitempty"`   // why each call has a new instance
	Shared uint64 `json:"shared,omitempty"` // bytes that its instances share
}

// Standing tells how calls are done. It compiles the plugin and makes an
// instance where that hasn't happened yet.
func (p *Plugin) Standing(ctx context.Context) (Standing, error) {
	s, err := p.unit.standing(ctx, p.kind(false))
	return s, named(err, p.module())
}

// Tools are the plugin's tools. They are of use until the plugin or the host is
// closed.
func (p *Plugin) Tools() []tool.Tool {
	tools := make([]tool.Tool, len(p.manifest.Tools))
	for i, t := range p.manifest.Tools {
		spec := p.manifest.Spec(t)
		spec.Digest = p.digest
		if show := p.host.o.Display; show != nil {
			spec.Display = show(spec.Name)
		}
		roots := p.roots
		if t.SideEffectClass == tool.Read {
			roots = p.roots.readOnly()
		}
		spec.Paths = roots.specs()
		made := &pluginTool{p, t, spec.WithDefaults()}
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
	tool manifest.Tool
	spec tool.Spec
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
	var c calling
	done, err := t.enter(ctx, call, t.tool.Function, &c)
	var result tool.Result
	switch {
	case err != nil:
		result = failed(err)
	case t.manifest.ABI == manifest.Extism:
		result = t.extismResult(done)
	case t.manifest.ABI == manifest.HyperMCP:
		result = t.mcpResult(done)
	default:
		result = t.commandResult(ctx, done)
	}
	if err == nil && result.Error != nil {
		result.Error = c.explain(result.Error, done, t.spec.Name)
	}
	result.Fuel = done.Fuel
	if t.host.o.Used != nil {
		t.host.o.Used(t.spec.Name, Usage{done.Fuel, done.Memory, len(done.Data)})
	}
	if e := result.Error; e != nil && t.spec.SideEffectClass != tool.Read && slices.Contains(brokenOff, e.Code) {
		return tool.Result{}, e
	}
	return result, nil
}

// brokenOff are the codes of ends that are not the plugin's own answer.
var brokenOff = []string{
	"plugin_trap", "plugin_exited", "bad_output", "interrupted", "deadline_exceeded", "host_closed", "host_fault", "plugin_unloaded",
	"output_limit", "memory_limit", "fuel_limit", "depth_limit", "vars_limit", "log_lines_limit",
	"open_files_limit", "quota_limit", "max_file_limit",
	"http_failed", "host_denied", "http_body_limit", "http_requests_limit", "no_sampling",
	"total_memory_limit", "bad_http_request", "method_denied", "invalid_handle", "message_too_long",
}

// enter has the plugin do a call: a WASI command by the call's tool, an Extism
// plugin by a function. c, which is empty, becomes that call.
func (t *pluginTool) enter(ctx context.Context, call tool.Call, function string, c *calling) (engine.Outcome, error) {
	args, err := t.roots.toGuest(call.Args, t.spec.ArgsSchema)
	if err != nil {
		return engine.Outcome{}, err
	}
	set, err := t.settings()
	if err != nil {
		return engine.Outcome{}, err
	}
	c.Timeout = time.Duration(t.manifest.TimeoutMS(t.tool)) * time.Millisecond
	c.Log = func(level, message string) {
		message = t.roots.inText(message)
		c.log(message)
		t.host.log(ctx, t.manifest.ID, level, message)
	}
	switch t.manifest.ABI {
	case manifest.Extism:
		c.Function = function
		c.Input, err = extismInput(args)
		c.Extism = t.extismCall(set, c.Log)
	case manifest.HyperMCP:
		c.Function = t.speaks.Call()
		c.Input, err = t.speaks.CallInput(call.CallID, function, args)
		c.Extism = t.extismCall(set, c.Log)
	default:
		c.Function = "_start"
		c.Input, err = commandInput(call, args, set.values)
	}
	if err != nil {
		return engine.Outcome{}, tool.Errorf(tool.ValidationError, "bad_args", "arguments of %s are not JSON: %v", t.spec.Name, err)
	}
	out, err := t.unit.call(ctx, t.kind(t.reads()), &c.Call)
	if err != nil {
		return out, t.placed(named(err, t.module()))
	}
	return out, nil
}

func (t *pluginTool) reads() bool { return t.tool.SideEffectClass == tool.Read }

// kind is the kind of instances that a tool's calls are done by. A plugin
// without folders needs but one, unless it remembers: what a read has done must
// not reach a write.
func (p *Plugin) kind(reads bool) string {
	if reads || len(p.roots.list) == 0 && p.manifest.State == manifest.Fresh {
		return reading
	}
	return writing
}

// setup is what an instance of a kind is made of.
func (p *Plugin) setup(kind string) engine.Setup {
	l := p.manifest.Limits
	roots := p.roots
	if kind == reading {
		roots = roots.readOnly()
	}
	set, _ := p.settings() // what is wrong with them is said by a call, which they keep from being made
	return engine.Setup{
		Name: "plugin " + p.manifest.ID, Begin: *p.extismCall(set), Mounts: roots.mounts(), Warmup: p.manifest.Warmup, Clock: p.host.o.Clock,
		Extism: p.manifest.ABI != manifest.WASI,
		Limits: engine.Limits{
			Memory: l.Memory, Output: l.Output, Fuel: int64(l.Fuel), LogLines: l.LogLines, OpenFiles: l.OpenFiles, Raise: p.raise,
		},
	}
}

// raise says what in the manifest raises a limit.
func (p *Plugin) raise(key string) string {
	switch key {
	case "quota", "max_file":
		return "raise " + key + " in [[paths]] of the plugin's " + manifest.File
	case engine.CallerTime:
		return "raise step_timeout_ms in [run] of errand.toml"
	}
	return "raise limits." + key + " in the plugin's " + manifest.File
}

func (p *Plugin) guestFolders() []string {
	var folders []string
	for _, m := range p.roots.mounts() {
		folders = append(folders, m.Guest)
	}
	return folders
}

// extismCall is what every call of the plugin has of the Extism ABI.
func (p *Plugin) extismCall(set settings) *extism.Call {
	l := p.manifest.Limits
	return &extism.Call{
		Plugin:  "plugin " + p.manifest.ID,
		Folders: p.guestFolders(),
		Config:  set.text(), LogLevel: extism.Info, Raise: p.raise,
		Limits: extism.Limits{
			HTTPBody: uint64(l.HTTPBody), HTTPRequests: l.HTTPRequests, Vars: uint64(l.Vars), LogLines: l.LogLines,
		},
	}
}

// extismCall is that with what the tool may do, and with the log of one call.
func (t *pluginTool) extismCall(set settings, log func(level, message string)) *extism.Call {
	c := t.Plugin.extismCall(set)
	c.Vars, c.Secrets, c.ReadOnly = map[string][]byte{}, set.secrets, t.reads()
	c.Log = func(level extism.Level, message string) { log(level.String(), message) }
	c.Client, c.Hosts = t.host.client(t.spec.Name, t.manifest.Hosts), t.manifest.Hosts
	return c
}

// placed is err with the plugin's paths as this machine has them.
func (t *pluginTool) placed(err error) error {
	e := *tool.AsError(err)
	e.Message, e.Hint = t.roots.inText(e.Message), t.roots.inText(e.Hint)
	e.Details = slices.Clone(e.Details)
	for i := range e.Details {
		e.Details[i] = t.roots.inText(e.Details[i])
	}
	return &e
}

func failed(err error) tool.Result { return tool.Result{Error: tool.AsError(err)} }
