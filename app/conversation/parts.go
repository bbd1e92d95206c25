package conversation

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"errand/app/secrets"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/plan"
)

// Limits of what is kept.
const (
	maxItems = 200
	maxLabel = 120 // letters
)

// parts are the parts of the context that a run changes. A run whose steps were about nothing of a
// kind leaves that kind as it was.
func parts(run followup.Run, evidence []interpret.Evidence, e Ended, at time.Time) []store.ContextPart {
	c := &collector{tools: e.Tools, goals: run.Goals.Goals}
	for _, s := range e.Steps {
		if s.Status == trace.Done {
			c.add(s)
		}
	}
	if about := e.Interpretation.FollowUp; about != nil && about.Wish == followup.Into && c.touched {
		for _, m := range about.Means {
			if m.Thing.Kind == followup.Folder {
				c.addFile(m.Thing.Ref, followup.Folder) // "it" may be the folder as well as what went there
			}
		}
	}
	for _, ev := range evidence {
		if ev.Slot == "target" && ev.End <= len(run.Words) && run.Words[ev.Start:ev.End] == ev.Words {
			run.Targets = append(run.Targets, followup.Span{Start: ev.Start, End: ev.End})
		}
	}
	if secrets.IsMarked(run.Words) || hasMark(run.Goals) {
		run.Goals, run.Targets = plan.GoalSet{}, nil
	}
	var out []store.ContextPart
	put := func(name string, value any) {
		if body, err := json.Marshal(value); err == nil {
			out = append(out, store.ContextPart{Name: name, RunID: run.RunID, At: at, Body: body})
		}
	}
	put(runPart, run)
	if query, _ := run.Query(); query != "" {
		put(searchPart, run)
	}
	if len(c.pages) > 0 {
		put(pagePart, followup.Part{RunID: run.RunID, Things: c.pages, IsUnseen: e.IsUnseen})
	}
	if c.touched {
		put(filesPart, followup.Part{RunID: run.RunID, Things: c.files, Into: followup.PutInto(run.Goals.Goals, c.files)})
	}
	if apps := startedApps(run.Goals.Goals, e.Steps); len(apps) > 0 {
		put(appPart, followup.Part{RunID: run.RunID, Things: apps})
	}
	if c.list != nil {
		c.list.RunID = run.RunID
		put(listPart, c.list)
	}
	return out
}

func hasMark(set plan.GoalSet) bool {
	return slices.ContainsFunc(set.Goals, func(g plan.Goal) bool {
		return secrets.IsMarked(g.Query) || secrets.IsMarked(g.Target) || secrets.IsMarked(g.Value) || secrets.IsMarked(g.Destination)
	})
}

// startedApps are the apps that the goals of a run started, if all its steps are done.
func startedApps(goals []plan.Goal, steps []trace.Step) []followup.Thing {
	var out []followup.Thing
	for _, g := range goals {
		if g.GoalType == plan.AppLaunch && len(steps) > 0 && !slices.ContainsFunc(steps, func(s trace.Step) bool { return s.Status != trace.Done }) {
			out = appendThing(out, followup.Thing{Kind: followup.App, Ref: g.Target})
		}
	}
	return out
}

// collector takes things from the results of steps.
type collector struct {
	tools   *tool.Set
	goals   []plan.Goal
	pages   []followup.Thing
	files   []followup.Thing
	touched bool // a step was about files, which may be gone now
	list    *followup.List
}

func (c *collector) add(s trace.Step) {
	t, ok := c.tools.Get(s.ToolName)
	payload, _ := s.Payload.(map[string]any)
	if !ok || payload == nil {
		return
	}
	spec := t.Spec()
	view := spec.Display.View
	switch view.Kind {
	case display.Entries:
		c.addEntries(payload, view.Key)
	case display.List:
		c.addLinks(payload, view)
	}
	switch use := spec.PageUse(s.Args); {
	case use != tool.NoPage:
		c.addPage(s, payload, use)
		if path := textOf(payload["path"]); view.Kind == display.File && isPath(path) {
			c.addFile(path, followup.File)
		}
	case view.Kind == display.Entries && c.finds():
		c.addFound()
	default:
		for _, name := range spec.Opens { // a page that is opened later: one that is watched
			if at := textOf(s.Args[name]); isWebPage(at) {
				c.pages = appendThing(c.pages, followup.Thing{Kind: followup.Page, Ref: at})
			}
		}
		c.addFiles(s, payload, view.Kind)
	}
}

// maxFound is how many files that were looked for "it" may mean.
const maxFound = 4

// finds reports whether a goal of the run looks for files.
func (c *collector) finds() bool {
	return slices.ContainsFunc(c.goals, func(g plan.Goal) bool { return g.Action == plan.FindAction })
}

// addFound notes what was found in place of the folder that was searched.
func (c *collector) addFound() {
	c.touched = true
	if c.list == nil || len(c.list.Things) > maxFound {
		return
	}
	for _, th := range c.list.Things {
		c.addFile(th.Ref, th.Kind)
	}
}

// addPage notes the page of a step. One that opens a page begins another one.
func (c *collector) addPage(s trace.Step, payload map[string]any, use tool.PageUse) {
	at := textOf(payload["url"])
	if at == "" && use == tool.OpensPage {
		at = textOf(s.Args["url"])
	}
	if !isWebPage(at) {
		return
	}
	page := followup.Thing{Kind: followup.Page, Ref: at, Label: label(textOf(payload["title"]))}
	if use != tool.OpensPage && len(c.pages) > 0 {
		c.pages = c.pages[:len(c.pages)-1]
	}
	c.pages = appendThing(c.pages, page)
}

// addFiles notes the files and folders of a step: what it made, and what it made it of.
func (c *collector) addFiles(s trace.Step, payload map[string]any, view display.Kind) {
	kind := followup.Kind("")
	switch textOf(payload["kind"]) {
	case "file":
		kind = followup.File
	case "folder":
		kind = followup.Folder
	}
	for _, path := range []string{textOf(payload["path"]), textOf(payload["from"])} {
		if !isPath(path) {
			continue
		}
		c.touched = true
		of := kind
		if of == "" {
			of = c.kindOf(path, view)
		}
		if slices.Contains(s.Facts, "!exists:"+path) {
			c.files = slices.DeleteFunc(c.files, func(t followup.Thing) bool { return t.Ref == path })
			continue
		}
		c.addFile(path, of)
		if view == display.Entries && c.isOwn(path) {
			c.files[len(c.files)-1].IsOwn = true
		}
	}
}

// isOwn reports whether a goal named a folder as one of the user's own, such as ~/Documents.
func (c *collector) isOwn(path string) bool {
	return slices.ContainsFunc(c.goals, func(g plan.Goal) bool {
		own, ok := strings.CutPrefix(strings.TrimRight(g.Target, "/"), "~")
		return ok && strings.Count(own, "/") <= 1 && strings.HasSuffix(path, own)
	})
}

// kindOf is the kind of a path as the goals have it; a list is of a folder.
func (c *collector) kindOf(path string, view display.Kind) followup.Kind {
	if view == display.Entries {
		return followup.Folder
	}
	for _, g := range c.goals {
		if g.GoalType == plan.FileOperation && g.ObjectType == "folder" && filepath.Base(strings.TrimRight(g.Target, "/")) == filepath.Base(path) {
			return followup.Folder
		}
	}
	return followup.File
}

func (c *collector) addFile(path string, kind followup.Kind) {
	c.touched = true
	c.files = appendThing(c.files, followup.Thing{Kind: kind, Ref: path})
}

// addEntries notes a list of files and folders.
func (c *collector) addEntries(payload map[string]any, key string) {
	items, _ := payload[key].([]any)
	folder := textOf(payload["path"])
	l := &followup.List{More: payload["more"] == true}
	for _, item := range items {
		m, _ := item.(map[string]any)
		path := textOf(m["path"])
		if path == "" && folder != "" && textOf(m["name"]) != "" {
			path = filepath.Join(folder, textOf(m["name"]))
		}
		kind := followup.File
		switch textOf(m["kind"]) {
		case "folder":
			kind = followup.Folder
		case "file", "":
		default:
			continue // a link or a device
		}
		if isPath(path) {
			l.Things = append(l.Things, followup.Thing{Kind: kind, Ref: path})
		}
	}
	c.keepList(l)
}

// addLinks notes a list of pages: results or links.
func (c *collector) addLinks(payload map[string]any, view display.View) {
	items, _ := payload[view.Key].([]any)
	l := &followup.List{More: payload["cut"] == true, From: textOf(payload["url"])}
	for _, item := range items {
		m, _ := item.(map[string]any)
		if at := textOf(m["url"]); isWebPage(at) {
			l.Things = append(l.Things, followup.Thing{Kind: followup.Page, Ref: at, Label: label(textOf(m[view.Label]))})
		}
	}
	c.keepList(l)
}

func (c *collector) keepList(l *followup.List) {
	if len(l.Things) > maxItems {
		l.Things, l.More = l.Things[:maxItems], true
	}
	if l.Things == nil {
		l.Things = []followup.Thing{}
	}
	c.list = l
}

func appendThing(all []followup.Thing, t followup.Thing) []followup.Thing {
	if slices.ContainsFunc(all, func(o followup.Thing) bool { return o.Kind == t.Kind && o.Ref == t.Ref }) || len(all) >= maxItems {
		return all
	}
	return append(all, t)
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// isPath reports whether a result names a place on disk that nothing was taken out of.
func isPath(path string) bool {
	return filepath.IsAbs(path) && filepath.Clean(path) == path && !secrets.IsMarked(path) && !strings.ContainsFunc(path, unicode.IsControl)
}

// isWebPage reports whether a result is the URL of a page that can be opened again.
func isWebPage(at string) bool {
	u, err := url.Parse(at)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && !secrets.IsMarked(at)
}

// label is the text of a page for a list: one line without control and formatting characters.
func label(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return string(runes[:min(len(runes), maxLabel)])
}
