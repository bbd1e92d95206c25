package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"errand/host/tool/display"
)

// SideEffectClass is the coarse class of what a tool does; policy is strict by
// it. The zero value is no class and is refused by [Spec.Validate].
type SideEffectClass string

// Side-effect classes.
const (
	Read  SideEffectClass = "read"
	Write SideEffectClass = "write"
	Auth  SideEffectClass = "auth" // handles credentials or permissions
)

// Effect is the finer class beside [SideEffectClass], for browsers and files.
type Effect string

// Effects. Read and navigate have side-effect class read, the others write;
// the launcher alone is class write with effect navigate.
const (
	EffectRead     Effect = "read"
	EffectNavigate Effect = "navigate"
	EffectInput    Effect = "input"
	EffectCommit   Effect = "commit"
	EffectFile     Effect = "file"
)

// Rank orders effects by how much they may change: what is allowed to do one may
// do those below it. An unknown effect is above all.
func (e Effect) Rank() int {
	if i := slices.Index(effects, e); i >= 0 {
		return i
	}
	return len(effects)
}

var effects = []Effect{EffectRead, EffectNavigate, EffectInput, EffectCommit, EffectFile}

// Known says whether e is one of the effects.
func (e Effect) Known() bool { return slices.Contains(effects, e) }

// Class is the side-effect class that an effect has by itself.
func (e Effect) Class() SideEffectClass {
	if e == EffectRead || e == EffectNavigate {
		return Read
	}
	return Write
}

// RetryProfile says whether a failed call may be repeated. A write is only
// where its tool says that it did nothing.
type RetryProfile string

// Retry profiles.
const (
	RetryNone      RetryProfile = "none"
	RetryTransient RetryProfile = "transient" // reads whose error says retriable
	// RetryRateLimited is for calls that the tool itself refused, having done
	// nothing: a result of class tool_unavailable that says when to come back.
	RetryRateLimited RetryProfile = "rate_limited"
)

// DefaultTimeoutMS is the deadline of a tool that states none.
const DefaultTimeoutMS = 30_000

// Spec is what a tool says of itself: one descriptor for every kind of tool.
type Spec struct {
	Name            string          `json:"name"` // [A-Za-z0-9_.-]{1,64}
	Description     string          `json:"description"`
	ArgsSchema      json.RawMessage `json:"args_schema"` // JSON Schema 2020-12 of an object
	TimeoutMS       int             `json:"timeout_ms"`
	RetryProfile    RetryProfile    `json:"retry_profile"`
	SideEffectClass SideEffectClass `json:"side_effect_class"`
	Effect          Effect          `json:"effect"`

	// Reversible says that the result of a call which changed something holds an
	// [Inverse]. A [Forecast] knows better for one call.
	Reversible bool `json:"reversible"`

	// Untrusted says that what the tool answers may be the words of others: of a
	// page, an HTTP answer, somebody else's file. After it every write of the run
	// asks a person; see [Untrusted].
	Untrusted bool `json:"untrusted,omitempty"`

	// Boundary says that only the user's own command line and window may call the tool:
	// policy denies it to every other origin, and no plan of theirs can be approved.
	Boundary bool `json:"boundary,omitempty"`

	// What the planner may count on, as goal keys and facts.
	CanAchieve []string `json:"can_achieve"`
	Requires   []string `json:"requires"`
	Effects    []string `json:"effects"`

	// Opens names the arguments of a tool that does not navigate whose value is a
	// URL that it opens all the same: policy is asked about those as about pages. A
	// navigating tool opens every URL that it is given.
	Opens []string `json:"opens,omitempty"`

	// Page is what a call does with the page that its run has open, and PageOfURL
	// what one with the argument url does; nil: the same. See [Spec.PageUse].
	Page      PageUse  `json:"page,omitempty"`
	PageOfURL *PageUse `json:"page_of_url,omitempty"`

	Hosts []string `json:"hosts"` // patterns of the hosts that it may reach
	Paths []string `json:"paths"` // host folders that it may touch, "ro:" before read-only ones

	// Display says how the tool, its calls and their results are shown to people.
	Display display.Tool `json:"display,omitzero"`

	Source  string `json:"source"`            // "builtin", "browser", "plugin:<id>"
	Version string `json:"version,omitempty"` // of the plugin
	Digest  string `json:"digest,omitempty"`  // SHA-256 of the plugin's module, in hex
}

var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

// Fault is one thing that is wrong with a [Spec].
type Fault struct {
	Key     string // of the spec, as JSON has it
	Message string
}

// Faults answers all that is wrong with s. A spec without a side-effect class is
// refused rather than taken for harmless.
func (s Spec) Faults() []Fault {
	var faults []Fault
	require := func(ok bool, key, format string, args ...any) {
		if !ok {
			faults = append(faults, Fault{key, fmt.Sprintf(format, args...)})
		}
	}
	require(name().MatchString(s.Name), "name", "name %q must be of letters, digits, _, . and -, 64 at most", s.Name)
	require(slices.Contains([]SideEffectClass{Read, Write, Auth}, s.SideEffectClass), "side_effect_class",
		"side_effect_class %q is not read, write or auth", s.SideEffectClass)
	known := s.Effect.Known()
	require(known, "effect", "effect %q is not read, navigate, input, commit or file", s.Effect)
	require(!known || s.SideEffectClass != Read || s.Effect == EffectRead || s.Effect == EffectNavigate, "effect",
		"effect %q is not a read; side_effect_class must be write", s.Effect)
	require(slices.Contains([]RetryProfile{RetryNone, RetryTransient, RetryRateLimited}, s.RetryProfile), "retry_profile",
		"retry_profile %q is not none, transient or rate_limited", s.RetryProfile)
	require(s.RetryProfile != RetryTransient || s.SideEffectClass == Read, "retry_profile", "only a read tool may be retried as transient")
	require(s.TimeoutMS >= 0, "timeout_ms", "timeout_ms %d is negative", s.TimeoutMS)
	require(json.Valid(s.ArgsSchema), "args_schema", "args_schema is not JSON")
	return faults
}

// Validate reports the first thing wrong with s.
func (s Spec) Validate() error {
	if faults := s.Faults(); len(faults) > 0 {
		return fmt.Errorf("tool %s: %s", s.Name, faults[0].Message)
	}
	return nil
}

// WithDefaults returns s with its unset fields filled: no retry, the default
// timeout, empty lists in place of nil ones.
func (s Spec) WithDefaults() Spec {
	if s.RetryProfile == "" {
		s.RetryProfile = RetryNone
	}
	if s.TimeoutMS == 0 {
		s.TimeoutMS = DefaultTimeoutMS
	}
	for _, list := range []*[]string{&s.CanAchieve, &s.Requires, &s.Effects, &s.Hosts, &s.Paths} {
		if *list == nil {
			*list = []string{}
		}
	}
	return s
}

// Fingerprint is the SHA-256, in hex, of what the tool says of itself, its
// module's digest included: what an approval binds to beside the arguments, so
// that a tool that was replaced is not the one that was approved. What a call
// does with a page and how the tool is shown is not part of it.
func (s Spec) Fingerprint() string {
	s.Page, s.PageOfURL, s.Display = NoPage, nil, display.Tool{}
	b, err := json.Marshal(s.WithDefaults())
	if err != nil {
		return "unhashable" // an args_schema that is no JSON; matches nothing
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Opened are the URLs among args that a call opens by [Spec.Opens].
func (s Spec) Opened(args map[string]any) []string {
	var urls []string
	for _, name := range s.Opens {
		if u, ok := args[name].(string); ok && u != "" {
			urls = append(urls, u)
		}
	}
	return urls
}

// Params lists the names of the arguments in the schema, sorted.
func (s Spec) Params() []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(s.ArgsSchema, &schema) != nil {
		return nil
	}
	params := make([]string, 0, len(schema.Properties))
	for p := range schema.Properties {
		params = append(params, p)
	}
	slices.Sort(params)
	return params
}
