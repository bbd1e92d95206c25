package recipe

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/planner/message"
)

// Check checks a recipe against the tools: each step's tool exists and accepts its
// arguments. The error is an [*Error] with all problems. Defaults and samples are used
// for missing values.
func (r *Recipe) Check(specs []tool.Spec) error {
	f := &problemList{file: r.file, lines: r.lines}
	r.audit(f, specs)
	return f.err()
}

// Audit does the same as [Read] and [Recipe.Check], and reports the problems of both.
// Name is the required name of the recipe; empty: any.
func Audit(file string, b []byte, specs []tool.Spec, name string) (*Recipe, error) {
	r, f := parse(file, b)
	if r != nil {
		r.checkName(f, name)
		r.audit(f, specs)
	}
	return r, f.err()
}

// CheckName returns an error if the recipe does not have the given name; an empty name
// means any.
func (r *Recipe) CheckName(name string) error {
	f := &problemList{file: r.file, lines: r.lines}
	r.checkName(f, name)
	return f.err()
}

func (r *Recipe) checkName(f *problemList, name string) {
	if name != "" && ValidName(r.Name) && r.Name != name {
		f.addAt("name", message.New("recipes.other_name", "name", r.Name, "want", name))
	}
}

func (r *Recipe) audit(f *problemList, specs []tool.Spec) {
	values := map[string]any{}
	for _, s := range r.Steps { // unknown parameters are already reported
		walk("", s.Args, func(_, text string) {
			for _, p := range parts(text) {
				values[p.param] = "sample"
			}
		})
	}
	for _, p := range r.Params {
		values[p.Name] = p.sample()
	}
	r.check(f, specs, values, func(step Step, pointer string) bool { return step.open(r, pointer) })
}

// IsUnknownTool reports whether a problem is that a tool does not exist.
func IsUnknownTool(m message.Message) bool {
	return m.Code == "recipes.unknown_tool" || m.Code == "recipes.unknown_tool_near"
}

// check checks the steps with values against the tools. It omits problems that another
// value can fix, according to open.
func (r *Recipe) check(f *problemList, specs []tool.Spec, values map[string]any, open func(Step, string) bool) {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	var checker schema.Checker
	for i, s := range r.Steps {
		path := fmt.Sprintf("step[%d]", i)
		if s.Tool == "" {
			continue // which is already reported
		}
		at := slices.Index(names, s.Tool)
		if at < 0 {
			m := message.New("recipes.unknown_tool", "tool", s.Tool)
			if near := message.Nearest(s.Tool, names); near != "" {
				m = message.New("recipes.unknown_tool_near", "tool", s.Tool, "near", near)
			}
			f.addAt(path+".tool", m)
			continue
		}
		if s.Target != nil && !takesTarget(specs[at], s) {
			f.addAt(path+".target", message.New("recipes.no_target", "tool", s.Tool))
		}
		f.secrets(r, path, s, specs[at])
		args := s.bindArgs(values)
		f.roles(path, s, specs[at])
		f.addresses(path, specs[at], args)
		if fail := checker.Check(specs[at], args); fail != nil {
			for _, fault := range schema.Problems(fail) {
				if open == nil || fault.Place == "" || !open(s, fault.Place) {
					f.addAt(path+".args"+keyPath(fault.Place), message.New("recipes.bad_argument", "tool", s.Tool, "fault", fault.Message))
				}
			}
		}
	}
}

// takesTarget reports whether a step has an element or a page to verify.
func takesTarget(spec tool.Spec, s Step) bool {
	_, located := s.Args["locator"].(map[string]any)
	return located || s.Target.Role == "" && s.Target.Name == "" && spec.Page != tool.NoPage
}

// open reports whether the argument at a JSON pointer contains a parameter without a
// value, so that its value is a sample.
func (s Step) open(r *Recipe, pointer string) bool {
	found := false
	walk("", s.Args, func(path, text string) {
		if !strings.HasPrefix(path+".", keyPath(pointer)+".") && !strings.HasPrefix(path, keyPath(pointer)+"[") {
			return
		}
		for _, p := range parts(text) {
			at := slices.IndexFunc(r.Params, func(q Param) bool { return q.Name == p.param })
			found = found || p.param != "" && at < 0 || p.param != "" && r.Params[at].Default == nil && r.Params[at].Type != Int && r.Params[at].Type != Bool
		}
	})
	return found
}

// keyPath returns a JSON pointer in the notation of the file's keys.
func keyPath(pointer string) string {
	var b strings.Builder
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch {
		case token == "":
		case strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
		default:
			b.WriteString("." + token)
		}
	}
	return b.String()
}
