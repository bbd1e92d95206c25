package rego

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"

	"errand/planner/plan"
	"errand/policy"
)

// Input is what rules see of a request, as the object input. Texts that don't apply are "".
type Input struct {
	Actor  Actor  `json:"actor"`
	Origin string `json:"origin"` // what the call is for: user_goal, request, upload, task, agent, mcp, api or schedule
	// Action is call (of a tool, before anything happens), open (a page), load (what a page loads by
	// itself) or fetch (of a tool). For resources it is get, put, delete, list or subscribe.
	Action    string         `json:"action"`
	Resources []Resource     `json:"resources"`
	Tool      string         `json:"tool"`
	Plugin    string         `json:"plugin"`
	Class     string         `json:"class"`  // read, write or auth
	Effect    string         `json:"effect"` // read, navigate, input, commit or file
	Args      map[string]any `json:"args"`
	Paths     []string       `json:"paths"` // the files and folders that the call uses
	URL       string         `json:"url"`
	Host      string         `json:"host"` // of URL
	Opens     []string       `json:"opens"`
	Page      string         `json:"page"` // the document that makes the request
	Run       string         `json:"run"`
	At        string         `json:"at"`      // RFC 3339, UTC
	Several   bool           `json:"several"` // the goal changes two or more things
	Voice     bool           `json:"voice"`   // the goal was spoken
	Untrusted bool           `json:"untrusted"`
}

// Actor is who asks.
type Actor struct {
	Kind string `json:"kind"` // person, agent, assistant, mcp or rpc
	ID   string `json:"id"`   // "" for the user
}

// Resource is a resource that the request is about.
type Resource struct {
	Name string `json:"name"` // begins with cld:
	Kind string `json:"kind"`
}

var actions = map[policy.Kind]string{
	policy.KindCall: "call", policy.KindNavigate: "open", policy.KindSubresource: "load", policy.KindFetch: "fetch",
}

// kindOfActor says who acts for an origin. Goals that are due later are the user's own.
var kindOfActor = map[plan.Origin]string{
	plan.UserGoal: "person", plan.Request: "person", plan.Upload: "person", plan.Schedule: "person",
	plan.Task: "assistant", plan.Agent: "agent", plan.MCP: "mcp", plan.API: "rpc",
}

// inputOf is the input for a request as JSON.
func inputOf(r *policy.Request) ([]byte, error) {
	in := Input{
		Actor: Actor{Kind: kindOfActor[r.Origin]}, Origin: string(r.Origin), Action: actions[r.Kind], Resources: []Resource{},
		Tool: r.Tool, Plugin: r.Plugin, Class: r.Class, Effect: r.Effect, Args: r.Args, Paths: paths(r), URL: r.URL,
		Opens: r.Opens, Page: r.Page, Run: r.Run, Several: r.Several, Voice: r.Voice, Untrusted: len(r.Readings) > 0,
	}
	if in.Actor.Kind == "" {
		in.Actor.Kind = "agent" // what no person asked for
	}
	if u, err := url.Parse(r.URL); err == nil {
		in.Host = u.Hostname()
	}
	if !r.At.IsZero() {
		in.At = r.At.UTC().Format(time.RFC3339)
	}
	if in.Args == nil {
		in.Args = map[string]any{}
	}
	if in.Opens == nil {
		in.Opens = []string{}
	}
	return json.Marshal(in)
}

// paths lists the files and folders of a request.
func paths(r *policy.Request) []string {
	set := map[string]bool{}
	for _, c := range r.Covers {
		set[c.Path] = true
	}
	for path, places := range r.Places {
		set[path] = true
		for _, p := range places {
			set[p] = true
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(set))...)
}
