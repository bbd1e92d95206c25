package policy

import (
	"time"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/folder"
)

// Verdict is what policy answers. The zero value denies.
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
	Rule    string          `json:"rule"` // stable id of what decided: "floor.private_address", "rules[2]", …
	Reason  message.Message `json:"reason"`
	Hint    message.Message `json:"hint,omitzero"`   // the one thing that would change the verdict
	Flags   []string        `json:"flags,omitempty"` // for the record

	// Pattern is the narrowest pattern that would allow the host, where the rule is RuleUnlisted.
	Pattern string `json:"-"`
}

// Stricter returns the decision with the stricter verdict; d where they are
// equal.
func (d Decision) Stricter(other Decision) Decision {
	if other.Verdict < d.Verdict {
		return other
	}
	return d
}

// Kind says what is being asked for.
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

// Request is one question to policy. A call fills the tool's fields and Args;
// a fetch fills URL, and From with the URL that redirected here.
type Request struct {
	Kind   Kind
	Origin plan.Origin
	Tool   string
	Class  string // side-effect class: read, write, auth
	Effect string // read, navigate, input, commit, file
	Args   map[string]any
	// Places are what paths in Args lead to, by the clean path, as the caller has resolved
	// them: without links, each for the file itself and for what it links to. Other paths
	// are resolved by the RealPath of [Settings].
	Places map[string][]string
	// Covers are the files and folders that the call uses with everything below them. A rule
	// that denies or asks about a path below one applies to the call.
	Covers []Cover
	// Folders keeps what rules read of the folders in Covers while the same question is
	// decided, explained and decided with other settings. Nil: each rule reads them again.
	Folders *folder.Memory

	Plugin string // id of the plugin that the tool is of; "" for others
	Run    string // the run that asks; "" for none, which has no grant for a run
	Call   string // the call within it

	URL  string
	From string // the hop before, "" for the first
	// Page is the URL of the document that makes the request, "" for the user or a tool.
	Page string
	// PathHidden says that the path of the URL is unknown, because TLS hides it. Then
	// no allow entry that has a path matches, and every deny entry that has one does.
	PathHidden bool

	// Boundary says that only the user's own command line and window may make the call.
	Boundary bool
	Several  bool // the goal of the call changes two or more existing things
	// Opens are the URLs that a call opens though it does not navigate, such as a
	// download's. Those of a navigating call are found in Args.
	Opens []string

	// Hosts are the patterns that the tool's own manifest declares; nil means
	// no manifest limits the call, empty that no host may be reached. They are
	// intersected with the user's list.
	Hosts []string
	// HostSet is Hosts, parsed, for callers that ask many times. Nil: Hosts are
	// parsed for this request.
	HostSet *HostSet

	// Preview says that nothing leaves because of this question: it is asked again when
	// the request is made. Budgets don't count it.
	Preview bool

	// At is the time of the request, for rules that end. Where it is zero, an
	// allowing rule with an end doesn't count and a stricter one does.
	At time.Time
	// Approved says that the user has approved the call that this request belongs
	// to. It turns ask into allow and changes no deny.
	Approved bool
	// Readings is the untrusted text that the run has read. A call that changes
	// something then asks unless it is Approved.
	Readings []UntrustedRead
	// Voice says that the goal behind the request was spoken, not typed.
	Voice bool
}
