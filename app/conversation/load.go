// Package conversation keeps what the goals of one face were about, so that later goals can mean it:
// "open it", "again". It takes it from the typed results of tools, never from texts of pages.
package conversation

import (
	"context"
	"encoding/json"
	"time"

	"errand/host/store"
	"errand/host/trace"
	"errand/planner/interpret/followup"
)

// The names of the parts in the store.
const (
	pagePart   = "page"
	filesPart  = "files"
	appPart    = "app"
	listPart   = "list"
	runPart    = "run"
	searchPart = "search"
)

// load reads the context of a conversation. It is unclear if the latest run died before it could
// tell what it was about.
func load(ctx context.Context, s store.Store, name string, now time.Time) (followup.Context, error) {
	var c followup.Context
	parts, err := s.ContextParts(ctx, name)
	if err != nil {
		return c, err
	}
	targets := map[string]any{pagePart: &c.Page, filesPart: &c.Files, appPart: &c.App, listPart: &c.List, runPart: &c.Run, searchPart: &c.Search}
	ages := map[string]*int{pagePart: &c.Page.Age, filesPart: &c.Files.Age, appPart: &c.App.Age, listPart: &c.List.Age, runPart: &c.Run.Age, searchPart: &c.Search.Age}
	var ended time.Time // the last run that is known
	at := map[string]time.Time{}
	for _, p := range parts {
		to := targets[p.Name]
		if to == nil || json.Unmarshal(p.Body, to) != nil {
			continue // a damaged part means nothing
		}
		at[p.Name] = p.At
		*ages[p.Name] = int(max(0, now.Sub(p.At)).Minutes()) * 60
		if p.At.After(ended) {
			ended = p.At
		}
	}
	if c.IsEmpty() {
		return c, nil
	}
	c.List.IsStale, c.List.IsBeforeSearch = at[pagePart].After(at[listPart]), at[searchPart].After(at[listPart])
	newest, err := s.Runs(ctx, 1)
	if err != nil || len(newest) == 0 {
		return c, err
	}
	last := newest[0]
	c.Unclear = last.Status == trace.Interrupted && last.StartedAt.After(ended)
	return c, nil
}
