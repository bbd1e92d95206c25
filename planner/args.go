package planner

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// browser is the app in which pages open, by its id in the
// catalogue. The host replaces it by the browser that the user has.
const browser = "chrome"

// args are the arguments that make a tool reach the aim. If the tool lists its
// parameters, only those are used. It returns false if the tool has no parameter for
// the subject of the aim.
func (m aim) args(c *plan.Capability) (map[string]any, bool) {
	switch {
	case m.copyOf > 0: // the action that made it has no name yet
		return map[string]any{"path": m.path}, c.Params == nil || slices.Contains(c.Params, "path") && slices.Contains(c.Params, "from")
	case m.isPageAction():
		return m.pageArgs(c)
	case m.isPageControl():
		return m.openPageArgs(c)
	}
	params := c.Params
	if params == nil {
		params = m.defaultParams(c)
	}
	args := map[string]any{}
	put := func(name, value string) bool {
		if !slices.Contains(params, name) {
			return false
		}
		args[name] = value
		return true
	}
	switch m.goal.GoalType {
	case plan.BrowserSearch:
		put("app_name", browser)
		if put("url", m.url) {
			return args, true
		}
		if put("query", m.goal.Query) {
			return args, put("platform", m.goal.Platform)
		}
		return args, put("target", m.url)
	case plan.BrowserNavigate:
		put("app_name", browser)
		return args, put("url", m.url) || put("target", m.url)
	case plan.AppLaunch:
		if m.installed.File != "" {
			put("desktop_file", m.installed.File)
		}
		return args, put("app_name", m.goal.Target) || put("target", m.goal.Target)
	case plan.FileOperation:
		put("action", m.action)
		put("object_type", m.goal.ObjectType)
		if m.action == "delete" && m.hasItems && slices.Contains(params, "recursive") {
			args["recursive"] = true
		}
		if !m.putFileArgs(params, args) {
			return args, false
		}
		if m.goal.EmptiesTrash() {
			return args, true
		}
		return args, put("path", m.path) || put("target", m.path)
	case plan.SystemControl:
		return args, m.controlArgs(params, args)
	case plan.SystemQuery:
		if m.goal.AsksWithValue() {
			return args, put(m.goal.ObjectType, m.goal.Value)
		}
		// A tool without parameters answers the one thing that it says it tells.
		return args, put("target", m.goal.Target) || put("query", m.goal.Target) || slices.Contains(c.Effects, m.effect)
	}
	return args, false
}

// putFileArgs adds what a file goal says beside its path. It returns false if the tool has no
// parameter for it.
func (m aim) putFileArgs(params []string, args map[string]any) bool {
	put := func(value any, names ...string) bool {
		for _, name := range names {
			if slices.Contains(params, name) {
				args[name] = value
				return true
			}
		}
		return false
	}
	g, ok := m.goal, true
	if m.destination != "" {
		ok = put(m.destination, "destination", "into") && ok
	}
	if g.Query != "" {
		ok = put(g.Query, "name", "query") && ok
	}
	switch {
	case g.Value == "":
	case m.action == plan.FindAction:
		ok = putFilter(plan.ParseFileFilter(g.Value), put) && ok
	default:
		ok = put(g.Value, "text", "content") && ok
	}
	if m.action == plan.FindAction {
		put(g.ObjectType, "kind")
	}
	if g.Limit > 0 {
		put(g.Limit, "limit")
	}
	return ok
}

// putFilter adds what a goal to find files says of them.
func putFilter(f plan.FileFilter, put func(value any, names ...string) bool) bool {
	ok := len(f.Extensions) == 0 || put(anyStrings(f.Extensions), "extensions")
	ok = (len(f.Names) == 0 || put("*"+strings.Join(f.Names, "*|*")+"*", "name")) && ok
	for _, arg := range []struct{ name, value string }{{"newer_than", f.After}, {"older_than", f.Before}, {"sort", f.Order}, {"text", f.Text}} {
		ok = (arg.value == "" || put(arg.value, arg.name)) && ok
	}
	ok = (f.Larger == 0 || put(f.Larger, "min_size")) && ok
	return (f.Smaller == 0 || put(f.Smaller, "max_size")) && ok
}

func anyStrings(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// defaultParams are the parameters of a tool that does not list its own.
func (m aim) defaultParams(c *plan.Capability) []string {
	switch m.goal.GoalType {
	case plan.BrowserSearch, plan.BrowserNavigate:
		if startsApps(c) {
			return []string{"app_name", "url"}
		}
		return []string{"url"}
	case plan.AppLaunch:
		return []string{"app_name"}
	case plan.FileOperation:
		return []string{"path", "destination", "text", "name", "extensions"}
	}
	if m.goal.GoalType == plan.SystemControl {
		return []string{"app_name", "setting", "value", "action", "level", "text", "when", "goal", "label", "kind"}
	}
	if m.goal.AsksWithValue() {
		return []string{m.goal.ObjectType}
	}
	return []string{"target"}
}

// supplierArgs are the arguments of a tool that only supplies facts to others: one that
// starts apps gets the browser to start.
func supplierArgs(c *plan.Capability) map[string]any {
	if c.Params == nil && startsApps(c) || slices.Contains(c.Params, "app_name") {
		return map[string]any{"app_name": browser}
	}
	return map[string]any{}
}

// startsApps reports whether a tool starts any app, and so opens pages in the browser.
func startsApps(c *plan.Capability) bool {
	return slices.Contains(c.CanAchieve, string(plan.AppLaunch))
}
