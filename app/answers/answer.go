package answers

import (
	"slices"
	"strings"

	"errand/host/tool/display"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Compose says in a few words how a run ended: the time that was asked for,
// the title of the page that was opened, the folder that was created.
func Compose(p plan.Plan, steps []trace.Step) message.Message {
	var parts []message.Message
	for i, s := range steps {
		d, _ := displayOf(s.ToolName)
		if s.Status != trace.Done || d.View.Passing && isPassed(p, steps, s) || d.View.Last && i < len(steps)-1 {
			continue
		}
		if part := (result{d, s}).describe(); !part.IsZero() {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return message.Message{}
	case 1:
		return parts[0]
	}
	return message.New("answer.several", "parts", parts)
}

// Parts returns what an answer of [Compose] says, step by step.
func Parts(answer message.Message) []message.Message {
	list, ok := answer.Params["parts"].([]any)
	switch {
	case answer.IsZero():
		return nil
	case answer.Code != "answer.several" || !ok:
		return []message.Message{answer}
	}
	var parts []message.Message
	for _, v := range list {
		m, _ := v.(message.Message)
		parts = append(parts, m)
	}
	return parts
}

// ShowsPage reports whether a tool shows something of a page that an earlier step
// opened, or makes something of it.
func ShowsPage(tool string) bool {
	d, _ := displayOf(tool)
	return d.View.Kind.ShowsPage()
}

// isPassed reports whether another step shows something of the page that s opened.
func isPassed(p plan.Plan, steps []trace.Step, s trace.Step) bool {
	for _, a := range p.Actions() {
		if !ShowsPage(a.Tool) || !slices.Contains(a.DependsOn, s.StepID) {
			continue
		}
		if slices.ContainsFunc(steps, func(t trace.Step) bool { return t.StepID == a.ActionID && t.Status == trace.Done }) {
			return true
		}
	}
	return false
}

// result is the result of one step.
type result struct {
	tool display.Tool
	step trace.Step
}

func (r result) payload() map[string]any {
	m, _ := r.step.Payload.(map[string]any)
	return m
}

// raw returns a text of the payload, unchanged.
func (r result) raw(key string) string {
	v, _ := r.payload()[key].(string)
	return v
}

// line is a text of the payload on one line.
func (r result) line(key string) string { return strings.Join(strings.Fields(r.raw(key)), " ") }

// describe is the result as its view has it; zero: there is nothing to show.
func (r result) describe() message.Message {
	if !IsOwn(r.step.ToolName) {
		return r.describeForeign()
	}
	v := r.tool.View
	switch v.Kind {
	case display.Lines:
		return r.describeUnlessEmpty(r.formatLines)
	case display.List:
		return r.describeUnlessEmpty(func() string { return formatList(r.payload()[v.Key], v.Label) })
	case display.Table:
		return r.describeUnlessEmpty(func() string { return formatTable(r.payload()[v.Key]) })
	case display.Picture, display.Document:
		if len(r.step.Artifacts) == 0 || r.step.Artifacts[0].Path == "" {
			return message.Message{}
		}
		return r.tool.Say("result", "path", r.step.Artifacts[0].Path)
	case display.File:
		return r.describeFile()
	case display.Sentence:
		return r.describeSentence()
	case display.Entries:
		return r.describeEntries()
	case display.Nothing:
		return message.Message{}
	}
	return r.describeByKeys()
}

// describeForeign describes the outcome of a tool that is not part of the program: its
// text on one line, with the tool's name. What its other keys say could be untrue.
func (r result) describeForeign() message.Message {
	if r.line("text") == "" {
		return message.Message{}
	}
	return message.New("answer.foreign", "tool", r.step.ToolName, "text", r.line("text"))
}

// describeByKeys describes the outcome of a call by the keys that its payload has.
func (r result) describeByKeys() message.Message {
	is := func(key string) bool { is, _ := r.payload()[key].(bool); return is }
	known := func(key string) bool { _, known := r.payload()[key].(bool); return known }
	if m := r.tool.MessageIn("text", r.payload()["text"]); !m.IsZero() {
		return m
	}
	switch path := r.line("path"); {
	case r.line("text") != "":
		return message.Verbatim(r.line("text"))
	case r.line("title") != "":
		return message.New("answer.opened_title", "url", r.line("url"), "title", r.line("title"), "status", r.errorStatus())
	case r.line("url") != "":
		return message.New("answer.opened", "url", r.line("url"), "status", r.errorStatus())
	case path != "":
		code := "answer.created"
		deleted, isCount := r.payload()["deleted"].(float64)
		switch {
		case isCount && is("whole"):
			code = "answer.deleted"
		case isCount:
			return message.New("answer.deleted_items", "path", path, "count", int(deleted), "kept", r.payload()["kept"])
		case is("deleted"):
			code = "answer.deleted"
		case known("deleted"):
			code = "answer.already_gone"
		case is("saved"):
			code = "answer.saved"
		case is("restored"):
			code = "answer.restored"
		case known("created") && !is("created"):
			code = "answer.already_there"
		}
		return message.New(code, "path", path)
	case r.line("app") != "":
		return message.New("answer.started", "app", r.line("app"))
	}
	return message.Verbatim(r.line("hash"))
}

// AllSteps returns the steps of all attempts in the order of the plan, because the answer is about the
// whole goal. done are those of earlier attempts.
func AllSteps(p plan.Plan, done map[string]trace.Step, steps []trace.Step) []trace.Step {
	var out []trace.Step
	for _, a := range p.Actions() {
		if s, ok := done[a.ActionID]; ok {
			out = append(out, s)
		}
		for _, s := range steps {
			if s.StepID == a.ActionID {
				out = append(out, s)
			}
		}
	}
	return out
}
