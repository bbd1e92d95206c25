package policy

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/glob"
	"errand/policy/special"
)

// Grant is a host or a folder that the user allowed in addition to the settings. A host has the
// effect of an entry of allowed_domains. A folder is for file tools, and changes no decision. A
// grant does not lift the floor, `!` entries, manifests or rules, and approves no call.
type Grant struct {
	ID      string      `json:"id"`
	Pattern string      `json:"pattern,omitempty"` // as in allowed_domains, without "!"; empty for a folder
	Folder  string      `json:"folder,omitempty"`  // in place of Pattern: an absolute, clean path
	Real    string      `json:"real,omitempty"`    // Folder without links, when it was granted
	Scope   Scope       `json:"scope"`
	Tool    string      `json:"tool,omitempty"`   // glob; empty: any
	Plugin  string      `json:"plugin,omitempty"` // id; empty: every caller
	Origin  plan.Origin `json:"origin,omitempty"` // empty: any
	Until   time.Time   `json:"until,omitzero"`   // zero: no end

	// Run is the run that uses the grant, and Call the call that uses a grant for once.
	// If they are empty, the grant is unused, and the next request that needs it may
	// use it.
	Run  string `json:"run,omitempty"`
	Call string `json:"call,omitempty"`
}

// Scope is how long a grant applies. The zero value never applies.
type Scope string

// Scopes of grants.
const (
	Once   Scope = "once"   // one call of one run
	ForRun Scope = "run"    // one run
	Always Scope = "always" // every run until it is revoked
)

// parse reads a grant's pattern and checks the rest of it.
func (g Grant) parse() (Pattern, error) {
	p, err := ParsePattern(g.Pattern)
	switch {
	case g.Folder != "" && (g.Pattern != "" || g.Tool != "" || g.Plugin != "" || g.Origin != "" || g.Scope == Once || !filepath.IsAbs(g.Folder) || !filepath.IsAbs(g.Real)):
		return p, message.Error("policy.bad_folder_grant", "folder", g.Folder)
	case g.Folder == "" && err != nil:
		return p, message.Error("policy.bad_host_pattern", "pattern", g.Pattern, "cause", err)
	case p.deny:
		return Pattern{}, message.Error("policy.negated_grant_pattern", "pattern", g.Pattern)
	case g.ID == "" || strings.ContainsAny(g.ID, " ,:"):
		return Pattern{}, message.Error("policy.bad_grant_id", "id", g.ID)
	case !slices.Contains([]Scope{Once, ForRun, Always}, g.Scope):
		return Pattern{}, message.Error("policy.unknown_grant_scope", "scope", g.Scope)
	case g.Origin != "" && !slices.Contains(plan.Origins(), g.Origin):
		return Pattern{}, message.Error("policy.unknown_origin", "origin", g.Origin, "origins", plan.Origins())
	}
	if g.Folder == "" && p.wild == noWildcard {
		if reason := floorReason(&p); !reason.IsZero() {
			return Pattern{}, message.Error("policy.grant_for_special_host", "pattern", g.Pattern, "reason", reason)
		}
	}
	return p, nil
}

// Validate returns an error for a grant that can't allow anything: a bad pattern, a
// host that the floor always denies, an unknown scope or origin.
func (g Grant) Validate() error {
	_, err := g.parse()
	return err
}

// floorReason returns why the floor denies a pattern's host, "" if it does not.
func floorReason(p *Pattern) message.Message {
	if p.addr.IsValid() {
		if d := FloorAddr(p.addr); d.Verdict != Allow {
			return message.New("policy.use_allow_private", "reason", d.Reason)
		}
		return message.Message{}
	}
	reason, _ := special.FindName(p.base)
	return reason
}

// applies reports whether a grant applies to the request: it has not ended and no other
// run or call uses it. Only permanent grants apply to a request outside a run, and only
// grants without an end to one at an unknown time.
func (g *Grant) applies(r *Request) bool { return g.mismatch(r).IsZero() }

// mismatch returns why a grant does not apply to the request, "" if it does.
func (g *Grant) mismatch(r *Request) message.Message {
	switch {
	case !g.Until.IsZero() && (r.At.IsZero() || !r.At.Before(g.Until)):
		return message.New("policy.ended", "until", g.Until.UTC())
	case g.Scope == Always:
	case g.Scope != ForRun && g.Scope != Once:
		return message.New("policy.for_nothing")
	case r.Run == "":
		return message.New("policy.for_run")
	case g.Run != "" && g.Run != r.Run:
		return message.New("policy.used_by_run", "run", g.Run)
	case g.Scope == Once && (r.Call == "" || g.Call != "" && g.Call != r.Call):
		return message.New("policy.used_by_other_call")
	}
	switch {
	case g.Tool != "" && !glob.Match(g.Tool, r.Tool):
		return message.New("policy.for_tool", "tool", g.Tool)
	case g.Plugin != "" && g.Plugin != r.Plugin:
		return message.New("policy.for_plugin", "plugin", g.Plugin)
	case g.Origin != "" && g.Origin != r.Origin:
		return message.New("policy.for_origin", "origin", string(g.Origin))
	}
	return message.Message{}
}

// Spends reports whether the caller must record the use of the grant before it executes
// r, so that no other call or run can use it.
func (g Grant) Spends(r Request) bool {
	switch g.Scope {
	case Once:
		return g.Run != r.Run || g.Call != r.Call
	case ForRun:
		return g.Run != r.Run
	}
	return false
}

// WithGrants returns the policy with further hosts that the user granted. It changes
// only decisions for which [CanGrant] is true, and ignores invalid grants.
func (p *Policy) WithGrants(grants ...Grant) *Policy {
	if p == nil || !p.ready || len(grants) == 0 {
		return p
	}
	wider := *p
	wider.grants, wider.granted = slices.Clone(p.grants), list{}
	for _, g := range grants {
		if g.Validate() == nil {
			wider.grants = append(wider.grants, g)
		}
	}
	for i := range wider.grants {
		g := &wider.grants[i]
		if pattern, _ := g.parse(); g.Folder == "" {
			wider.granted.add(pattern, g, len(grants))
		}
	}
	return &wider
}

// CanGrant reports whether a grant could change a decision: it forbids only because the
// host is not listed.
func CanGrant(d Decision) bool { return d.Rule == RuleUnlisted || d.Rule == RuleInsecure }

// ExampleURL returns a URL that a pattern covers, or "" for a bad pattern and for one
// that covers several hosts.
func ExampleURL(pattern string) string {
	p, err := ParsePattern(pattern)
	if err != nil || p.wild != noWildcard {
		return ""
	}
	t := Target{Scheme: p.scheme, Host: p.base, Addr: p.addr, Port: p.from}
	if standard := defaultPort(p.scheme); p.from <= standard && standard <= p.to {
		t.Port = standard
	}
	path := "/"
	for _, segment := range p.path {
		path += url.PathEscape(segment) + "/"
	}
	return t.Origin() + path
}

// flagGrant is the prefix of flags that name grants.
const flagGrant = "grant:"

// Grants returns the ids of the grants that a decision depends on.
func (d Decision) Grants() (ids []string) {
	for _, f := range d.Flags {
		if id, ok := strings.CutPrefix(f, flagGrant); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// decision returns the decision of the grant, whose pattern is p.
func (g *Grant) decision(p *Pattern) Decision {
	reason := message.New("policy.granted", "pattern", p.text, "scope", string(g.Scope))
	if !g.Until.IsZero() {
		reason = message.New("policy.granted_until", "pattern", p.text, "scope", string(g.Scope), "until", g.Until.UTC())
	}
	d := Decision{
		Verdict: Allow, Rule: "grants[" + g.ID + "]", Flags: []string{flagGrant + g.ID},
		Reason: reason,
	}
	if p.wild == anyName {
		d.Flags = append(d.Flags, FlagPublicOnly)
	}
	return d
}

// encode encodes everything that a grant allows, for the digest. It leaves out who uses
// it, so that using a grant does not invalidate approvals.
func (g Grant) encode() string {
	until := "" // no end
	if !g.Until.IsZero() {
		until = g.Until.UTC().Format(time.RFC3339Nano)
	}
	return join(cmp.Or(g.Pattern, g.Folder+"\x00"+g.Real), string(g.Scope), g.Tool, g.Plugin, string(g.Origin), until)
}
