package answers

import (
	"slices"
	"strings"

	"errand/host/tool/display"
	"errand/host/trace"
	"errand/planner/plan"
)

// Compose says in a few words what came of a run: the time that was asked for,
// the title of the page that was opened, the folder that was created.
func Compose(language string, p plan.Plan, steps []trace.Step) string {
	var parts []string
	for i, s := range steps {
		d, _ := displayOf(s.ToolName)
		if s.Status != trace.Done || d.View.Passing && isPassed(p, steps, s) || d.View.Last && i < len(steps)-1 {
			continue
		}
		if text := (result{language, d, s}).text(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
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

// result is the result of one step, in a language.
type result struct {
	language string
	tool     display.Tool
	step     trace.Step
}

func (r result) say(key string, params ...string) string { return say(r.language, key, params...) }

func (r result) payload() map[string]any {
	m, _ := r.step.Payload.(map[string]any)
	return m
}

// raw is a text of the payload as it stands there.
func (r result) raw(key string) string {
	v, _ := r.payload()[key].(string)
	return v
}

// line is a text of the payload on one line.
func (r result) line(key string) string { return strings.Join(strings.Fields(r.raw(key)), " ") }

// text is the result as its view has it; "": there is nothing to show.
func (r result) text() string {
	v := r.tool.View
	switch v.Kind {
	case display.Lines:
		return r.formatLines()
	case display.List:
		return r.formatUnlessEmpty(func() string { return formatList(r.payload()[v.Key], v.Label) })
	case display.Table:
		return r.formatUnlessEmpty(func() string { return formatTable(r.payload()[v.Key]) })
	case display.Picture, display.Document:
		if len(r.step.Artifacts) == 0 || r.step.Artifacts[0].Path == "" {
			return ""
		}
		return fill(r.tool.Result, r.language, "path", r.step.Artifacts[0].Path)
	case display.File:
		return r.describeFile()
	case display.Phrase:
		if phrase := r.formatPhrase(); phrase != "" {
			return phrase
		}
	case display.Nothing:
		return ""
	}
	return r.formatByKeys()
}

// formatByKeys says what came of a call by the keys that its payload has.
func (r result) formatByKeys() string {
	is := func(key string) bool { is, _ := r.payload()[key].(bool); return is }
	known := func(key string) bool { _, known := r.payload()[key].(bool); return known }
	switch path := r.line("path"); {
	case r.line("text") != "":
		return r.line("text")
	case r.line("title") != "":
		return r.say("opened_title", "url", r.line("url"), "title", r.line("title")) + r.formatStatus()
	case r.line("url") != "":
		return r.say("opened", "url", r.line("url")) + r.formatStatus()
	case path != "":
		key := "created"
		switch {
		case is("deleted"):
			key = "deleted"
		case known("deleted"):
			key = "gone"
		case is("saved"):
			key = "saved"
		case is("restored"):
			key = "restored"
		case known("created") && !is("created"):
			key = "there"
		}
		return r.say(key, "path", path)
	case r.line("app") != "":
		return r.say("started", "app", r.line("app"))
	}
	return r.line("hash")
}
