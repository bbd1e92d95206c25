package desktop

import (
	"strings"
	"time"

	"errand/app/recipes"
	"errand/host/trace"
)

// recorded is a run of the past, from its record alone.
func recorded(rec trace.Record) (Run, error) {
	p, err := planView(rec.Goal, rec.Interpretation, rec.Result)
	if err != nil {
		return Run{}, err
	}
	r := Run{
		RunID: rec.RunID, Text: rec.Goal, Status: string(rec.Status),
		StartedAt: millis(rec.StartedAt), DurationMS: rec.DurationMS,
		Plan: p, Answer: rec.Answer, Error: failure(rec.Error), DraftID: rec.DraftID, Processes: -1,
		Connections: Connections{Hosts: []Host{}},
	}
	if kept, ok := recipes.OfRecord(rec); ok {
		r.Plan.Recipe = askOf(kept)
	}
	at := r.Plan.places()
	for _, t := range rec.Steps {
		if i, known := at[t.StepID]; known {
			r.Plan.Steps[i].settle(t)
		}
		r.CanUndo = r.CanUndo || t.Undo != nil && t.Status == trace.Done
	}
	r.Files = filesOf(rec.Steps)
	r.Counts = countsOf(r.Plan.Steps)
	r.Plan.Gate = r.Plan.gate()
	for _, e := range rec.Events {
		if e.Kind == "connection" {
			r.Connections.add(e.Data)
		}
	}
	return r, nil
}

// add counts one connection as the guard notes it.
func (c *Connections) add(data map[string]any) {
	text := func(key string) string { s, _ := data[key].(string); return s }
	name, verdict := hostName(text("host")), text("verdict")
	if verdict == "allow" {
		c.Allowed++
	} else {
		c.Stopped++
	}
	for i := range c.Hosts {
		h := &c.Hosts[i]
		if h.Name == name {
			h.Count++
			if verdict != "allow" {
				h.Verdict, h.Because, h.Rule = verdict, text("reason"), text("rule")
				h.Grantable = grantable(verdict, h.Rule)
			}
			return
		}
	}
	if len(c.Hosts) == maxHosts {
		return // they are counted
	}
	c.Hosts = append(c.Hosts, Host{
		Name: name, Verdict: verdict, Rule: text("rule"), Because: text("reason"), Grantable: grantable(verdict, text("rule")), Count: 1,
	})
}

// hostName is a host as it is shown and as [API.AllowHost] takes it: a port of
// HTTP is said by its scheme.
func hostName(hostport string) string {
	if host, ok := strings.CutSuffix(hostport, ":443"); ok {
		return host
	}
	if host, ok := strings.CutSuffix(hostport, ":80"); ok {
		return "http://" + host
	}
	return hostport
}

func lineOf(r trace.Run) Line {
	return Line{
		RunID: r.RunID, Text: r.Goal, Status: string(r.Status), Answer: r.Answer, Actions: r.Actions, DraftID: r.DraftID,
		StartedAt: millis(r.StartedAt), DurationMS: r.DurationMS,
	}
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
