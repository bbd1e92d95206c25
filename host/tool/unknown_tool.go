package tool

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// Off is a tool that the user turned off with its plugin.
type Off struct {
	Name       string
	Plugin     string // id of the plugin
	CanAchieve []string
	Effects    []string
}

// Provides reports whether the tool has one of the effects, or can achieve one of the keys.
func (o Off) Provides(wanted []string) bool {
	return slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(o.Effects, w) || slices.Contains(o.CanAchieve, w) })
}

// FindOff returns the tool with the given name.
func FindOff(off []Off, name string) (Off, bool) {
	i := slices.IndexFunc(off, func(o Off) bool { return o.Name == name })
	if i < 0 {
		return Off{}, false
	}
	return off[i], true
}

// UnknownTool is the error for a name that the known tools lack. It says if the tool is
// turned off; otherwise the hint has similar names.
func UnknownTool(class Class, name string, known []Spec, off []Off) *Error {
	if o, ok := FindOff(off, name); ok {
		return NewError(class, "tool_off", message.New("call.tool_off", "tool", name, "plugin", o.Plugin)).
			WithHint(message.New("call.enable_plugin", "plugin", o.Plugin))
	}
	var names []string
	for _, s := range known {
		names = append(names, s.Name)
	}
	for _, o := range off {
		names = append(names, o.Name)
	}
	e := NewError(class, "unknown_tool", message.New("call.unknown_tool", "tool", name))
	if near := message.Nearest(name, names); near != "" {
		return e.WithHint(message.New("call.similar_tool", "tool", near))
	}
	begun := slices.DeleteFunc(names, func(known string) bool { return !strings.HasPrefix(known, name) })
	if name != "" && len(begun) > 0 {
		return e.WithHint(message.New("call.begun_tools", "tools", begun))
	}
	return e.WithHint(message.New("call.list_tools"))
}
