package agent

import (
	"net/netip"
	"slices"
	"sync"

	"errand/app/config"
	"errand/app/runs/calls"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// Rules of tasks that may do less than the configuration allows.
const (
	RuleTaskTool = "agent.not_in_task"  // a tool that the task may not use
	RuleTaskHost = "agent.host_of_task" // a host that the task may not reach
)

// Narrowing is a [policy.Decider] that denies what a task may not do, though the configuration allows
// it. It allows everything else. The zero Narrowing denies everything.
type Narrowing struct {
	mu    sync.Mutex
	tasks map[string]*narrowTask // by run; nil: deny everything
}

var _ policy.Decider = (*Narrowing)(nil)

// NewNarrowing makes a Narrowing without tasks.
func NewNarrowing() *Narrowing { return &Narrowing{tasks: map[string]*narrowTask{}} }

// narrowTask is what a task may do.
type narrowTask struct {
	allowed  []string       // tools that the configuration allows
	tools    []string       // those of the task
	hosts    *policy.Policy // nil: as the configuration allows
	private  *policy.Policy // beside hosts: denies the private addresses that the task names
	openers  []string       // tools that open pages
	maxPages int            // 0: any number
	pages    []string       // ids of the calls that opened pages
}

// add limits the run of a task. steps are those of its earlier attempts.
func (n *Narrowing) add(runID string, c *config.Loaded, st state, specs []tool.Spec, steps []trace.Step) error {
	t := &narrowTask{allowed: c.Agent.Internal.AllowedTools, tools: st.Tools, maxPages: st.MaxURLs}
	if len(st.Domains) > 0 {
		var err error
		if t.hosts, err = hostPolicy(c, st.Domains); err != nil {
			return err
		}
		if t.private, err = privateNames(c, st.Domains); err != nil {
			return err
		}
	}
	for _, s := range specs {
		if opensPage(s) {
			t.openers = append(t.openers, s.Name)
		}
	}
	for _, s := range steps {
		if s.Status != trace.Denied && s.Status != trace.NeedsApproval && slices.Contains(t.openers, s.ToolName) && !slices.Contains(t.pages, s.StepID) {
			t.pages = append(t.pages, s.StepID)
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tasks[runID] = t
	return nil
}

// opensPage reports whether each call of a tool opens or fetches a page.
func opensPage(s tool.Spec) bool {
	return s.Page == tool.OpensPage || slices.Contains(s.Effects, "page_moved") || len(s.Hosts) > 0
}

// leaveOut removes the tools that the task may not use. It refuses a tool that the task itself names.
func (o TaskOptions) leaveOut(names []string, specs []tool.Spec) ([]string, error) {
	var out []string
	for _, name := range names {
		i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == name })
		field := ""
		switch {
		case i < 0: // reported elsewhere
		case o.NoBrowser && specs[i].Source == browserSource:
			field = "javascript"
		case o.NoPictures && picturesPage(specs[i]):
			field = "screenshot"
		}
		switch {
		case field == "":
			out = append(out, name)
		case len(o.Tools) > 0:
			return nil, tool.NewError(tool.ValidationError, CodeConfig, message.New("agent.tool_left_out", "tool", name, "field", field))
		}
	}
	if len(out) == 0 && len(names) > 0 { // without names the agent is off
		return nil, tool.NewError(tool.ValidationError, CodeConfig, message.New("agent.no_tool_left"))
	}
	return out, nil
}

// browserSource is the source of the tools that use a browser, which runs the scripts of pages.
const browserSource = "browser"

// picturesPage reports whether a tool makes a picture or a PDF file of a page.
func picturesPage(s tool.Spec) bool {
	return slices.Contains(s.Effects, "screenshot_taken") || slices.Contains(s.Effects, "pdf_saved")
}

// Decide implements [policy.Decider].
func (n *Narrowing) Decide(r policy.Request) policy.Decision {
	if n == nil || n.tasks == nil {
		return policy.Decision{Verdict: policy.Deny, Rule: RuleTaskTool, Reason: message.New("agent.not_in_task", "tool", r.Tool)}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.tasks[r.Run]
	switch {
	case t == nil:
	case r.Kind == policy.KindCall:
		return t.decideCall(r)
	case !t.reaches(r):
		return denyHost(r.URL)
	}
	return allowed
}

var allowed = policy.Decision{Verdict: policy.Allow}

func denyHost(url string) policy.Decision {
	return policy.Decision{Verdict: policy.Deny, Rule: RuleTaskHost, Reason: message.New("agent.host_of_task", "url", url)}
}

func (t *narrowTask) decideCall(r policy.Request) policy.Decision {
	switch {
	case !slices.Contains(t.allowed, r.Tool):
		return denyUnlisted(r.Tool)
	case !slices.Contains(t.tools, r.Tool):
		return policy.Decision{Verdict: policy.Deny, Rule: RuleTaskTool, Reason: message.New("agent.not_in_task", "tool", r.Tool)}
	}
	urls := slices.Clone(r.Opens)
	if url, ok := r.Args["url"].(string); ok && slices.Contains(t.openers, r.Tool) {
		urls = append(urls, url)
	}
	for _, url := range urls {
		if !t.reaches(policy.Request{Kind: policy.KindFetch, Origin: r.Origin, Tool: r.Tool, URL: url}) {
			return denyHost(url)
		}
	}
	if t.maxPages == 0 || len(urls) == 0 && !slices.Contains(t.openers, r.Tool) || slices.Contains(t.pages, r.Call) {
		return allowed
	}
	if len(t.pages) >= t.maxPages {
		return policy.Decision{Verdict: policy.Deny, Rule: calls.RuleMaxURLs, Reason: message.New("agent.max_urls", "limit", t.maxPages)}
	}
	t.pages = append(t.pages, r.Call)
	return allowed
}

// reaches reports whether the task may reach a URL, as far as its own hosts say.
func (t *narrowTask) reaches(r policy.Request) bool {
	if t.hosts == nil || r.URL == "" {
		return true
	}
	d := t.hosts.Decide(policy.Request{Kind: r.Kind, Origin: r.Origin, Tool: r.Tool, URL: r.URL, From: r.From, Page: r.Page, PathHidden: r.PathHidden})
	if d.Rule == policy.RuleAllowPrivate && t.private.Decide(policy.Request{Kind: r.Kind, Origin: r.Origin, Tool: r.Tool, URL: r.URL}).Verdict != policy.Deny {
		return false
	}
	return d.Verdict == policy.Allow
}

// DecideAddr implements [policy.Decider].
func (n *Narrowing) DecideAddr(netip.AddrPort) policy.Decision {
	if n == nil || n.tasks == nil {
		return policy.Decision{Verdict: policy.Deny, Rule: RuleTaskHost}
	}
	return allowed
}

// Explain implements [policy.Decider].
func (n *Narrowing) Explain(r policy.Request) (policy.Decision, []policy.Step) {
	d := n.Decide(r)
	if d.Verdict == policy.Allow {
		return d, nil
	}
	return d, []policy.Step{{Name: "task", Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason}}
}

// Digest implements [policy.Decider]. What a task may do doesn't change.
func (n *Narrowing) Digest() string {
	if n == nil || n.tasks == nil {
		return ""
	}
	return "tasks"
}
