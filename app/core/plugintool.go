package core

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/wasm"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
)

// ToolCall is one call of a tool of a plugin that is not installed, in its
// author's folder. The plugin sees no folder, host or setting of the person's
// but what is named here.
type ToolCall struct {
	Folder string
	Tool   string // may be empty where the plugin has one
	Args   []byte // JSON; empty: none
	Config map[string]string
	Roots  []string // folders that stand for each [[paths]]
}

// ToolAnswer is what came of a [ToolCall].
type ToolAnswer struct {
	tool.Result
	Logs []wasm.LogLine `json:"logs"`
}

// CallTool calls a tool as a run would: its arguments held against its schema,
// its limits those of the manifest. What the tool answers, good or bad, is an
// answer; the error is a *tool.Error of a call that could not be made.
func (a *App) CallTool(ctx context.Context, c ToolCall) (answer ToolAnswer, err error) {
	answer.Logs = []wasm.LogLine{}
	m, err := kit.ReadManifest(c.Folder)
	if err != nil {
		return answer, err
	}
	var mu sync.Mutex
	h, p, err := a.author(c, m, func(_, level, message string) {
		mu.Lock()
		defer mu.Unlock()
		answer.Logs = append(answer.Logs, wasm.LogLine{Level: level, Message: message})
	})
	if err != nil {
		return answer, err
	}
	defer closeHost(h)
	t, err := toolOf(p, c.Tool)
	if err != nil {
		return answer, err
	}
	args := map[string]any{}
	if len(c.Args) > 0 {
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return answer, tool.Errorf(tool.ValidationError, "bad_args", "the arguments are not a JSON object: %v", err)
		}
	}
	if err := new(schema.Checker).Check(t.Spec(), args); err != nil {
		answer.Error = err
		return answer, nil
	}
	if err := p.Prepare(ctx); err != nil {
		return answer, err
	}
	start := time.Now()
	result, err := t.Call(ctx, tool.Call{RunID: "call", CallID: "a1", Tool: t.Spec().Name, Args: args})
	if err != nil {
		result = tool.Result{Error: tool.AsError(err)}
	}
	result.DurationMS = time.Since(start).Milliseconds()
	mu.Lock()
	defer mu.Unlock()
	answer.Result = result
	return answer, nil
}

// author makes a host of its own for a plugin in its author's folder.
func (a *App) author(c ToolCall, m manifest.Manifest, log func(plugin, level, message string)) (*wasm.Host, *wasm.Plugin, error) {
	config, err := typed(m, c.Config)
	if err != nil {
		return nil, nil, err
	}
	g, err := a.guard()
	if err != nil {
		return nil, nil, err
	}
	roots := map[string][]string{}
	for i, root := range c.Roots {
		if c.Roots[i], err = filepath.Abs(root); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range m.Paths {
		roots[p.Root] = c.Roots
	}
	h := wasm.New(wasm.Options{
		CacheDir: a.pluginCache(), Roots: roots, Log: log,
		Client: func(caller string, hosts []string) *http.Client { return a.pluginClient(g, caller, hosts) },
		Config: func(string) map[string]any { return config },
	})
	p, err := h.Load(os.DirFS(c.Folder))
	if err != nil {
		closeHost(h)
		return nil, nil, err
	}
	return h, p, nil
}

func closeHost(h *wasm.Host) {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_ = h.Close(ctx) // what is still compiling ends with the program
}

// toolOf finds a plugin's tool by its name, with or without the plugin's id.
func toolOf(p *wasm.Plugin, name string) (tool.Tool, error) {
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
	what := fmt.Sprintf("the plugin has no tool %q", name)
	if name == "" {
		what = "say which tool is meant"
	}
	return nil, tool.Errorf(tool.ValidationError, "unknown_tool", "%s", what).WithHint("it has %s", strings.Join(names, ", "))
}

// typed gives settings that were typed as text the types that the manifest
// states. What it doesn't state is passed on and refused by the host.
func typed(m manifest.Manifest, set map[string]string) (map[string]any, error) {
	config := map[string]any{}
	for key, text := range set {
		var err error
		switch config[key] = text; m.Config[key].Type {
		case "int":
			config[key], err = strconv.Atoi(text)
		case "bool":
			config[key], err = strconv.ParseBool(text)
		}
		if err != nil {
			return nil, tool.Errorf(tool.ValidationError, "plugin_config", "%q must be %s, not %q", key, m.Config[key].Kind(), text)
		}
	}
	return config, nil
}
