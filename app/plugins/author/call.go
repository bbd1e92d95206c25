package author

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"errand/app/plugins"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/trace"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
	"errand/planner/message"
	"errand/policy"
)

// closeTimeout bounds how long a host and its calls may take to end.
const closeTimeout = 8 * time.Second

// ToolCall is one call of a tool of a plugin in its author's folder, or of one
// that is installed, outside of any run. Either sees no folder, host or setting
// of the user's but what is named here.
type ToolCall struct {
	Folder string // or the id of a plugin that is installed
	Tool   string // may be empty where the plugin has one
	Args   []byte // JSON; empty: none
	Config map[string]string
	Roots  []string // folders that stand for each [[paths]]
}

// ToolAnswer is the answer to a [ToolCall].
type ToolAnswer struct {
	tool.Result
	Logs   []wasm.LogLine `json:"logs"`
	Memory uint64         `json:"memory"` // bytes of the plugin's memories at the end, which is the most: they never shrink
}

// CallTool calls a tool as a run would: it checks the arguments against the schema and
// applies the limits of the manifest. An error of the tool is part of the answer; err is
// a *tool.Error if the call could not be made.
func (k *Kit) CallTool(ctx context.Context, c ToolCall) (answer ToolAnswer, err error) {
	answer.Logs = []wasm.LogLine{}
	at, err := k.Set.FindCallable(c.Folder)
	if err != nil {
		return answer, err
	}
	var mu sync.Mutex
	o, err := k.options(c, at.Manifest)
	if err != nil {
		return answer, err
	}
	o.Log = func(_ context.Context, _, level string, line message.Message) {
		mu.Lock()
		defer mu.Unlock()
		answer.Logs = append(answer.Logs, wasm.LogLine{Level: level, Message: line})
	}
	var used wasm.Usage
	o.Used = func(_ string, u wasm.Usage) { used = u } // before the call's result is here
	h := wasm.New(o)
	defer closeHost(h)
	p, err := k.Set.LoadInto(h, at)
	if err != nil {
		return answer, err
	}
	t, err := toolNamed(p, c.Tool)
	if err != nil {
		return answer, err
	}
	args, err := schema.ReadArguments(c.Args)
	if err != nil {
		return answer, err
	}
	if err := checkArgs(at, t.Spec(), args); err != nil {
		answer.Error = err
		return answer, nil
	}
	if err := p.Prepare(ctx); err != nil {
		if at.IsAuthorFolder {
			err = plugins.InputError(err)
		}
		return answer, err
	}
	result, err := dispatch(ctx, t, args)
	if err != nil {
		return answer, err
	}
	mu.Lock()
	defer mu.Unlock()
	answer.Result, answer.Memory = result, used.Memory
	return answer, nil
}

// dispatch makes the call as a run with one step does. Policy allows it, because
// the user makes it; its record is dropped. The result is what the tool answered,
// before the dispatcher takes out what others wrote.
func dispatch(ctx context.Context, t tool.Tool, args map[string]any) (tool.Result, error) {
	set, err := tool.NewSet(t)
	if err != nil {
		return tool.Result{}, err
	}
	const runID = "call"
	log := &trace.Memory{}
	if err := log.Begin(ctx, trace.Run{RunID: runID}); err != nil {
		return tool.Result{}, err
	}
	d := run.NewDispatcher(run.DispatcherOptions{Tools: set, Log: log, Decide: func(policy.Request) policy.Decision {
		return policy.Decision{Verdict: policy.Allow, Rule: "author", Reason: message.New("author.call_allowed")}
	}})
	result, step := d.Dispatch(ctx, tool.Call{RunID: runID, ActionID: "a1", Tool: t.Spec().Name, Args: args})
	result.Payload, result.Error, result.Untrusted = step.Payload, step.Error, nil
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return result, d.Close(ending)
}

// options are what a plugin in its author's folder may use.
func (k *Kit) options(c ToolCall, m manifest.Manifest) (wasm.Options, error) {
	config, err := convertSettings(m, c.Config)
	if err != nil {
		return wasm.Options{}, err
	}
	client, err := k.Set.Client()
	if err != nil {
		return wasm.Options{}, err
	}
	if len(c.Roots) > 0 && len(m.Paths) == 0 {
		return wasm.Options{}, tool.NewError(tool.ValidationError, "bad_root", message.New("author.no_paths", "id", m.ID)).
			WithHint(message.New("author.no_paths_hint", "file", manifest.File))
	}
	roots := map[string][]string{}
	for _, p := range m.Paths {
		roots[p.Root] = nil
		for _, root := range c.Roots {
			folder, err := filepath.Abs(root)
			if err != nil {
				return wasm.Options{}, err
			}
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				return wasm.Options{}, noRoot(folder, err)
			}
			roots[p.Root] = append(roots[p.Root], folder)
		}
	}
	reserved, err := plugins.ReservedIDs()
	if err != nil {
		return wasm.Options{}, err
	}
	return wasm.Options{
		Reserved: reserved,
		CacheDir: k.Set.CacheDir(), KeyFile: k.Set.KeyFile(), Roots: roots,
		Client: client, Effort: k.Set.Effort,
		Config: func(string) map[string]any { return config },
	}, nil
}

// noRoot refuses what a person who names a folder would else look for in vain.
func noRoot(folder string, err error) error {
	why := message.New("author.not_a_folder")
	if errors.Is(err, fs.ErrNotExist) {
		why = message.New("author.not_there")
	} else if err != nil {
		why = tool.FileFault(err)
	}
	return tool.NewError(tool.ValidationError, "bad_root", message.New("author.bad_root", "folder", folder, "cause", why)).WithHint(message.New("author.bad_root_hint"))
}

func closeHost(h *wasm.Host) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = h.Close(ctx) // what is still compiling ends with the program
}

// toolNamed finds a plugin's tool by its name, with or without the plugin's id.
func toolNamed(p *wasm.Plugin, name string) (tool.Tool, error) {
	tools := p.Tools()
	if name == "" && len(tools) == 1 {
		return tools[0], nil
	}
	var names []string
	for _, t := range tools {
		if t.Spec().Name == name || t.Spec().Name == p.Manifest().ID+"."+name {
			return t, nil
		}
		names = append(names, t.Spec().Name)
	}
	what := message.New("author.no_tool", "tool", name)
	if name == "" {
		what = message.New("author.which_tool")
	}
	return nil, tool.NewError(tool.ValidationError, "unknown_tool", what).WithHint(message.New("author.known_tools", "tools", names))
}

// convertSettings converts settings from text to the types of the manifest. It rejects settings that
// the manifest doesn't have.
func convertSettings(m manifest.Manifest, set map[string]string) (map[string]any, error) {
	config := map[string]any{}
	for key, text := range set {
		var err error
		if _, known := m.Config[key]; !known {
			hint := message.New("author.no_settings", "file", manifest.File)
			if len(m.Config) > 0 {
				hint = message.New("author.known_settings", "file", manifest.File, "keys", slices.Sorted(maps.Keys(m.Config)))
			}
			return nil, tool.NewError(tool.ValidationError, "plugin_config", message.New("author.unknown_setting", "key", key, "id", m.ID)).WithHint(hint)
		}
		switch config[key] = text; m.Config[key].Type {
		case "int":
			config[key], err = strconv.Atoi(text)
		case "bool":
			config[key], err = strconv.ParseBool(text)
		}
		if err != nil {
			return nil, tool.NewError(tool.ValidationError, "plugin_config", message.New("author.wrong_setting", "key", key, "type", m.Config[key].Type, "text", text)).
				WithHint(message.New("author.wrong_setting_hint", "key", key, "file", manifest.File))
		}
	}
	return config, nil
}
