package policy

import (
	"time"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/folder"
)

// Verdict is the answer of policy. The zero value denies.
type Verdict int

// Verdicts in order of strictness: the smaller one wins.
const (
	Deny Verdict = iota
	Ask
	Allow
)

var verdictNames = [...]string{Deny: "deny", Ask: "ask", Allow: "allow"}

func (v Verdict) String() string {
	if v < Deny || v > Allow {
		return verdictNames[Deny]
	}
	return verdictNames[v]
}

// MarshalText writes "deny", "ask" or "allow".
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText writes and nothing else.
func (v *Verdict) UnmarshalText(b []byte) error {
	for i, name := range verdictNames {
		if string(b) == name {
			*v = Verdict(i)
			return nil
		}
	}
	return message.Error("policy.unknown_verdict", "verdict", b)
}

// Decision is a verdict with its reason. The zero Decision denies.
type Decision struct {
	Verdict Verdict         `json:"verdict"`
	Rule    string          `json:"rule"` // stable id of the deciding rule: "floor.private_address", "rules[2]", …
	Reason  message.Message `json:"reason"`
	Hint    message.Message `json:"hint,omitzero"`   // the one change that would change the verdict
	Flags   []string        `json:"flags,omitempty"` // for the record

	// Pattern is the narrowest pattern that would allow the host, where the rule is RuleUnlisted.
	Pattern string `json:"-"`
	// LiftsDefaultAsk means that a decider of a [Chain] allows a call that would ask by
	// [RuleDefaultAsk] alone.
	LiftsDefaultAsk bool `json:"-"`
}

// Stricter returns the stricter of two decisions, d if they are equal.
func (d Decision) Stricter(other Decision) Decision {
	if other.Verdict < d.Verdict {
		return other
	}
	return d
}

// Kind is what a request is about.
type Kind int

// Kinds of requests.
const (
	KindCall        Kind = iota // a call of a tool, before anything happens
	KindNavigate                // a top-level document of the browser
	KindSubresource             // what an allowed page loads by itself, frames included
	KindFetch                   // an HTTP request of a tool, and again for each redirect
)

// UnknownPage stands for a document without a known URL, which has no origin.
const UnknownPage = "about:unknown"

// Request is one question to policy. A call sets the tool's fields and Args. A fetch
// sets URL, and From if it is a redirect.
type Request struct {
	Kind   Kind
	Origin plan.Origin
	Tool   string
	Class  string // side-effect class: read, write, auth
	Effect string // read, navigate, input, commit, file
	Args   map[string]any
	// Places are the files and folders that paths in Args lead to, by the clean path:
	// without links, for the path itself and for its link target. The RealPath of
	// [Settings] resolves paths that Places lacks.
	Places map[string][]string
	// Covers are the files and folders that the call uses, including everything below
	// them. A rule that denies or asks about a path below one applies to the call.
	Covers []Cover
	// Folders caches what rules read of the folders in Covers while one question is
	// decided and explained. Nil: each rule reads them again.
	Folders *folder.Memory

	Plugin string // id of the tool's plugin; "" if it has none
	Run    string // the run that asks; "" for none, to which no grant for a run applies
	Call   string // the call within it

	URL  string
	From string // the URL that redirected to URL, "" for other requests
	// Page is the URL of the document that makes the request, "" for the user or a tool.
	Page string
	// PathHidden means that TLS hides the path of the URL. Then no allow entry with a
	// path matches, and every deny entry with a path does.
	PathHidden bool

	// Boundary means that only the user's own command line and window may make the
	// call.
	Boundary bool
	Several  bool // the goal of the call changes two or more existing things
	// Opens are the URLs that a call opens without navigating, such as a download's.
	// Those of a navigating call are found in Args.
	Opens []string

	// Hosts are the patterns that the tool's manifest declares, intersected with the
	// user's list. Nil means that no manifest limits the call, empty that it may reach
	// no host.
	Hosts []string
	// HostSet is Hosts, parsed, for callers with many requests. Nil: Hosts is parsed
	// for this request.
	HostSet *HostSet

	// Preview means that the decision causes no request: policy is asked again before
	// the request. Budgets don't count it.
	Preview bool

	// At is the time of the request, for rules that end. If it is zero, a rule with an
	// end does not apply if it allows, and applies if it is stricter.
	At time.Time
	// Approved means that the user has approved the call of this request. It turns Ask
	// into Allow and does not change Deny.
	Approved bool
	// Readings is the untrusted text that the run has read. A call that changes
	// something then asks unless it is Approved.
	Readings []UntrustedRead
	// Voice means that the goal was spoken, not typed.
	Voice bool
}
