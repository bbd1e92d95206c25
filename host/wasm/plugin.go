package wasm

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm/engine"
	"errand/host/wasm/extism"
	"errand/host/wasm/hypermcp"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Plugin is a loaded plugin folder. It is safe for concurrent use.
type Plugin struct {
	host     *Host
	fsys     fs.FS
	manifest Manifest
	digest   string
	bundled  bool // it is part of the program
	roots    roots
	granted  []string         // those of roots that the plugin has only in some runs
	hyperMCP hypermcp.Version // only for abi hyper-mcp
	unit     *unit

	formerSecrets []string // see Options
}

// open prepares the plugin for calls. The digest must be set.
func (p *Plugin) open() {
	p.unit = p.host.add(&unit{
		name: p.name(), digest: p.digest, load: p.readVerified, effort: p.host.effort(p.manifest.ID), setup: p.setup,
		isSticky: p.manifest.State == manifest.Sticky, maxConcurrent: p.manifest.Limits.Instances, raise: p.raise,
	})
}

// Close cancels the plugin's calls, waits for them and releases its resources.
// Later calls fail. If ctx ends first, the rest is released in the background. It
// is safe to call more than once.
func (p *Plugin) Close(ctx context.Context) error {
	return p.unit.close(ctx)
}

// Manifest returns the plugin's manifest.
func (p *Plugin) Manifest() Manifest { return p.manifest }

// Digest returns the SHA-256 of the plugin's module, in hex.
func (p *Plugin) Digest() string { return p.digest }

// Prepare compiles the plugin and makes an instance, so that the first call is
// fast. It may be called more than once. It returns when ctx ends; compiling
// continues in the background.
func (p *Plugin) Prepare(ctx context.Context) error {
	return withModuleName(p.unit.prepare(ctx, p.kind(false)), p.module())
}

// CheckStart initialises the plugin as its first call would and returns the error that
// every call would end with: a failed initialiser or warm-up, or too much memory.
// It returns nil if a setting that the plugin needs has no value yet. Errors are
// *tool.Error. It takes at most as long as a call may take, or until ctx ends.
func (p *Plugin) CheckStart(ctx context.Context) error {
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	set, err := p.settings()
	if err != nil || len(set.values) < len(p.manifest.Config) {
		return nil
	}
	return withModuleName(p.unit.checkStart(ctx, p.kind(false), time.Duration(p.manifest.Limits.TimeoutMS)*time.Millisecond), p.module())
}

// InstanceState describes how a plugin's calls run, for diagnostics.
type InstanceState struct {
	NotShared message.Message `json:"held,omitzero"`    // why each call has a new instance
	Shared    uint64          `json:"shared,omitempty"` // bytes that its instances share
}

// InstanceState returns how calls run. It compiles the plugin and makes an instance if
// needed.
func (p *Plugin) InstanceState(ctx context.Context) (InstanceState, error) {
	s, err := p.unit.instanceState(ctx, p.kind(false))
	return s, withModuleName(err, p.module())
}

// preference is the [tool.Spec.Preference] of the plugin's tools.
func (p *Plugin) preference() int {
	switch prefers := p.host.o.Preferred; {
	case prefers != nil && prefers(p.manifest.ID):
		return 1
	case p.bundled:
		return 0
	}
	return -1
}

// Tools returns the plugin's tools. They work until the plugin or the host is
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
		spec.Paths, spec.Granted = roots.specs(), p.granted
		spec.Preference = p.preference()
		if !p.bundled { // otherwise a plugin could lift rules about what is in a folder
			maps.DeleteFunc(spec.Reach, func(argument string, _ tool.Reach) bool { return slices.Contains(t.ReadsItself, argument) })
		}
		spec.MayDestroy = !p.bundled && len(spec.Writes) > 0 && slices.ContainsFunc(roots.list, func(r root) bool { return !r.readOnly })
		made := &pluginTool{Plugin: p, tool: t, spec: spec.WithDefaults()}
		tools[i] = made
		if t.Reconcile != "" {
			tools[i] = &reconcilableTool{made}
		}
	}
	for i, t := range p.manifest.Tools {
		at := slices.IndexFunc(p.manifest.Tools, func(o manifest.Tool) bool { return o.Name == t.Preview })
		preview := previewer{tool: t, spec: tools[i].Spec()}
		switch {
		case t.Preview != "" && at >= 0:
			preview.look = tools[at].(*pluginTool) // a read has no other kind
		case t.Replaces == "":
			continue
		}
		switch made := tools[i].(type) {
		case *reconcilableTool:
			tools[i] = previewedReconcilable{made, preview}
		case *pluginTool:
			tools[i] = previewedTool{made, preview}
		}
	}
	return tools
}

// pluginTool is one tool of a plugin.
type pluginTool struct {
	*Plugin
	tool     manifest.Tool
	spec     tool.Spec
	previews bool // calls are previews, before the user approved anything
}

var (
	_ tool.Tool     = (*pluginTool)(nil)
	_ tool.Preparer = (*pluginTool)(nil)
)

func (t *pluginTool) Spec() tool.Spec { return t.spec }

// Call implements [tool.Tool]. The plugin's answer is a result, and so is an error
// before it started. If a plugin with an effect ended in any other way, Call
// returns a Go error, because the effect is unknown.
func (t *pluginTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	var c pluginCall
	done, err := t.enter(ctx, call, t.tool.Function, &c)
	var result tool.Result
	switch {
	case err != nil:
		result = failedResult(err)
	case t.manifest.ABI == manifest.Extism:
		result = t.extismResult(done)
	case t.manifest.ABI == manifest.HyperMCP:
		result = t.mcpResult(done)
	case t.tool.RunsCommandLine():
		result = t.commandLineResult(done, c.tail.Lines())
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
	if e := result.Error; e != nil && t.spec.SideEffectClass != tool.Read && slices.Contains(noAnswerCodes, e.Code) {
		return tool.Result{}, e
	}
	return result, nil
}

// noAnswerCodes are the error codes of calls that ended without an answer.
var noAnswerCodes = []string{
	engine.FileChangedLate, "plugin_trap", "plugin_exited", "bad_output", "interrupted", "deadline_exceeded", "host_closed", "host_fault", "plugin_unloaded",
	"output_limit", "memory_limit", "fuel_limit", "depth_limit", "vars_limit", "log_lines_limit",
	"open_files_limit", "quota_limit", "max_file_limit",
	"http_failed", "host_denied", "http_body_limit", "http_requests_limit", "no_sampling",
	"total_memory_limit", "bad_http_request", "method_denied", "invalid_handle", "message_too_long",
}

// enter runs a call: a WASI command by the call's tool, an Extism plugin by a
// function. It fills the empty c.
func (t *pluginTool) enter(ctx context.Context, call tool.Call, function string, c *pluginCall) (engine.Outcome, error) {
	args, paths, err := t.roots.toGuest(call.Args, t.spec.ArgsSchema)
	if err != nil {
		return engine.Outcome{}, err
	}
	c.Places = t.roots.places(ctx, call)
	if !t.isReadOnly() {
		c.WritesAll = slices.Contains(t.spec.Writes, tool.AnyPath)
		c.Writes, c.Itself = writtenPaths(t.spec, paths)
		c.Writes, c.Itself = withParts(c.Writes, call.Key), withParts(c.Itself, call.Key)
	}
	set, err := t.settings()
	if err != nil {
		return engine.Outcome{}, err
	}
	c.Timeout = time.Duration(t.manifest.TimeoutMS(t.tool)) * time.Millisecond
	c.Log = func(level string, line message.Message) {
		line = t.roots.messageToHost(line)
		c.log(line)
		t.host.log(ctx, t.manifest.ID, level, line)
	}
	switch t.manifest.ABI {
	case manifest.Extism:
		c.Function = function
		c.Input, err = extismInput(args)
		c.Extism = t.extismCall(set, c.Log)
	case manifest.HyperMCP:
		c.Function = t.hyperMCP.Call()
		c.Input, err = t.hyperMCP.CallInput(call.ActionID, function, args)
		c.Extism = t.extismCall(set, c.Log)
	default:
		c.Function = "_start"
		if t.tool.RunsCommandLine() {
			if c.Args, c.Input, err = t.tool.CommandLine(args, set.values); err != nil {
				return engine.Outcome{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("plugin.of", "name", t.spec.Name, "cause", err))
			}
		} else {
			part := ""
			if !t.isReadOnly() || !call.Claimed.IsZero() {
				part = tool.PartName(call.Key)
			}
			c.Input, err = commandInput(call, args, set.values, part, pathsMadeSince(t.spec, call))
		}
	}
	if err != nil {
		return engine.Outcome{}, tool.NewError(tool.ValidationError, "bad_args", message.New("plugin.bad_args", "tool", t.spec.Name, "cause", err))
	}
	out, err := t.unit.call(ctx, t.callKind(), &c.Call)
	if err != nil {
		return out, t.withHostPaths(withModuleName(err, t.module()))
	}
	return out, nil
}

func (t *pluginTool) isReadOnly() bool { return t.tool.SideEffectClass == tool.Read }

// preview returns the tool for previews of another tool's calls. The plugin has no network
// and no secrets, and a later call finds nothing that the preview kept.
func (t *pluginTool) preview() *pluginTool {
	p := *t
	p.previews = true
	return &p
}

func (t *pluginTool) callKind() string {
	if t.previews && t.manifest.State == manifest.Sticky {
		return previewing
	}
	return t.kind(t.isReadOnly())
}

// kind returns the kind of instance for a tool's calls. There is only one, unless the
// plugin keeps state: a read must not affect a later write.
func (p *Plugin) kind(reads bool) string {
	if reads || p.manifest.State == manifest.Fresh {
		return p.kindWith(reading)
	}
	return p.kindWith(writing)
}

// setup returns how to make an instance of a kind. Kinds differ only in their folders.
func (p *Plugin) setup(kind string) engine.Setup {
	p = p.ofKind(kind)
	l := p.manifest.Limits
	set, _ := p.settings() // a call checks the settings and reports their errors
	return engine.Setup{
		Name: p.name(), Program: "plugin " + p.manifest.ID, Begin: *p.extismCall(set), Mounts: p.roots.mounts(), Usable: p.host.o.Usable, Warmup: p.manifest.Warmup, Clock: p.host.o.Clock,
		Extism: p.manifest.ABI != manifest.WASI,
		Limits: engine.Limits{
			Memory: l.Memory, Output: l.Output, Fuel: int64(l.Fuel), LogLines: l.LogLines, OpenFiles: l.OpenFiles, Raise: p.raise,
		},
	}
}

// raise returns how to raise a limit in the manifest.
func (p *Plugin) raise(key string) message.Message {
	switch key {
	case "quota", "max_file":
		return message.New("plugin.raise_path_limit", "key", key, "file", manifest.File)
	case engine.CallerTime:
		return message.New("plugin.raise_step_timeout")
	}
	return message.New("plugin.raise_limit", "key", key, "file", manifest.File)
}

// name is the plugin in messages.
func (p *Plugin) name() message.Message { return message.New("plugin.name", "id", p.manifest.ID) }

func (p *Plugin) guestFolders() []string {
	var folders []string
	for _, m := range p.roots.mounts() {
		folders = append(folders, m.Guest)
	}
	return folders
}

// extismCall returns the part of the Extism ABI that all calls of the plugin
// share.
func (p *Plugin) extismCall(set settings) *extism.Call {
	l := p.manifest.Limits
	return &extism.Call{
		Plugin:  p.name(),
		Folders: p.guestFolders(),
		Config:  set.text(), LogLevel: extism.Info, Raise: p.raise,
		Limits: extism.Limits{
			HTTPBody: uint64(l.HTTPBody), HTTPRequests: l.HTTPRequests, Vars: uint64(l.Vars), LogLines: l.LogLines,
		},
	}
}

// extismCall adds the tool's permissions and the log of one call.
func (t *pluginTool) extismCall(set settings, log func(level string, line message.Message)) *extism.Call {
	c := t.Plugin.extismCall(set)
	c.Vars, c.Secrets, c.ReadOnly = map[string][]byte{}, set.secrets, t.isReadOnly()
	c.Log = func(level extism.Level, line message.Message) { log(level.String(), line) }
	if c.Previewing = t.previews; t.previews {
		c.Secrets = nil
		return c
	}
	if other := t.host.o.OtherSecrets; other != nil {
		c.OtherSecrets = other(t.manifest.ID)
	}
	c.Client, c.Hosts = t.host.client(t.spec.Name, t.manifest.Hosts), t.manifest.Hosts
	return c
}

// withHostPaths converts the plugin's paths in err to paths of this machine.
func (t *pluginTool) withHostPaths(err error) error {
	e := *tool.AsError(err)
	e.Message, e.Hint = t.roots.messageToHost(e.Message), t.roots.messageToHost(e.Hint)
	e.Details = slices.Clone(e.Details)
	for i := range e.Details {
		e.Details[i] = t.roots.textToHost(e.Details[i])
	}
	return &e
}

func failedResult(err error) tool.Result { return tool.Result{Error: tool.AsError(err)} }
