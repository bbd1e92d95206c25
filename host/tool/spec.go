package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"errand/host/tool/display"
	"errand/planner/message"
	"errand/planner/plan"
)

// SideEffectClass is the coarse class of a tool's effects, which policy uses. The zero
// value is invalid, and [Spec.Validate] rejects it.
type SideEffectClass string

// Side-effect classes.
const (
	Read  SideEffectClass = "read"
	Write SideEffectClass = "write"
	Auth  SideEffectClass = "auth" // handles credentials or permissions
)

// Effect refines [SideEffectClass] for browsers and files.
type Effect string

// Effects. Read and navigate belong to the side-effect class read, the others to write.
// The launcher is an exception: its class is write and its effect navigate.
const (
	EffectRead     Effect = "read"
	EffectNavigate Effect = "navigate"
	EffectInput    Effect = "input"
	EffectCommit   Effect = "commit"
	EffectFile     Effect = "file"
)

// Rank orders effects by strength. A tool with an effect may also have every weaker one.
// Unknown effects rank highest.
func (e Effect) Rank() int {
	if i := slices.Index(effects, e); i >= 0 {
		return i
	}
	return len(effects)
}

var effects = []Effect{EffectRead, EffectNavigate, EffectInput, EffectCommit, EffectFile}

// IsKnown reports whether e is one of the effects.
func (e Effect) IsKnown() bool { return slices.Contains(effects, e) }

// Class returns the side-effect class that corresponds to an effect.
func (e Effect) Class() SideEffectClass {
	if e == EffectRead || e == EffectNavigate {
		return Read
	}
	return Write
}

// RetryProfile says whether a failed call may be repeated. A write may be repeated only if
// its tool reports that it did nothing.
type RetryProfile string

// Retry profiles.
const (
	RetryNone      RetryProfile = "none"
	RetryTransient RetryProfile = "transient" // reads whose error is retriable
	// RetryRateLimited is for calls that the tool rejected without any effect: the result
	// has class tool_unavailable and says when to retry.
	RetryRateLimited RetryProfile = "rate_limited"
)

// DefaultTimeoutMS is the timeout of a tool that doesn't set one.
const DefaultTimeoutMS = 30_000

// Spec describes a tool. All kinds of tools have the same description.
type Spec struct {
	Name            string          `json:"name"` // [A-Za-z0-9_.-]{1,64}
	Description     string          `json:"description"`
	ArgsSchema      json.RawMessage `json:"args_schema"` // JSON Schema 2020-12 of type object
	TimeoutMS       int             `json:"timeout_ms"`
	RetryProfile    RetryProfile    `json:"retry_profile"`
	SideEffectClass SideEffectClass `json:"side_effect_class"`
	Effect          Effect          `json:"effect"`

	// Reversible reports that the result of a call with an effect contains an [Inverse]. A
	// [Forecast] is more precise for a single call.
	Reversible bool `json:"reversible"`

	// MayDestroy reports that a call may change files that exist, and that only the tool
	// itself says what it changes: a plugin that is not part of the program, with folders
	// that it may change. Its name, Reversible and forecasts are then only claims: each call
	// counts as destructive and irreversible.
	MayDestroy bool `json:"may_destroy,omitempty"`

	// Untrusted reports that the result may contain text written by others: a web page, an
	// HTTP response or a file. Every later write of the run then needs approval; see
	// [Untrusted].
	Untrusted bool `json:"untrusted,omitempty"`

	// Boundary reports that only the user's own command line and window may call the tool.
	// Policy denies all other origins, and their plans with it can't be approved.
	Boundary bool `json:"boundary,omitempty"`

	// Goal keys and facts for the planner.
	CanAchieve []string `json:"can_achieve"`
	Requires   []string `json:"requires"`
	Effects    []string `json:"effects"`

	// Preference is which tool goals choose of those that can do the same: the highest. It is
	// 0 for the program's own tools, 1 for those of a plugin that the user prefers, and -1 for
	// those of any other installed plugin.
	Preference int `json:"preference,omitempty"`

	// Opens names arguments with URLs that a non-navigating tool opens. Policy decides
	// them like pages. A navigating tool opens every URL in its arguments.
	Opens []string `json:"opens,omitempty"`

	// Page says how a call uses the open page of its run, and PageOfURL how a call with
	// the argument url does; nil means the same. See [Spec.PageUse].
	Page      PageUse  `json:"page,omitempty"`
	PageOfURL *PageUse `json:"page_of_url,omitempty"`
	// PageURLOf returns the URL for [Spec.PageURL]; nil: it is the argument url.
	PageURLOf func(args map[string]any) string `json:"-"`

	Hosts []string `json:"hosts"` // patterns of the hosts that the tool may contact
	Paths []string `json:"paths"` // host folders that the tool may access, with "ro:" for read-only

	// Granted are those of Paths that the user allowed for a run or until revoked, without
	// "ro:". A path in them counts only while the grant does, so Fingerprint leaves them out.
	Granted []string `json:"granted,omitempty"`

	// Writes are the arguments with the paths that a call changes: these files and folders
	// and all that is in them, and nothing else in Paths. The host enforces it for plugins.
	// [AnyPath] alone means that a call may change everything in Paths. A call only reads
	// the other arguments that the schema marks as paths.
	Writes []string `json:"writes,omitempty"`

	// Reach limits how far a call goes below the paths in its arguments, by the name of the
	// argument. Without an entry it may use everything below. For paths in Writes, the host
	// enforces [ReachItself] for plugins; for those that are only read, only a bundled plugin
	// can declare it.
	Reach map[string]Reach `json:"reach,omitempty"`

	// Copies are the arguments of Writes to which a call copies or moves the file or folder
	// that another argument names, by their names.
	Copies map[string]string `json:"copies,omitempty"`

	// Saves says where a call saves a file whose name is another argument or isn't known yet.
	Saves *Saved `json:"saves,omitempty"`

	// Recursive is a boolean argument. Unless it is true, a call changes nothing below the
	// paths in Writes. The tool enforces it itself.
	Recursive string `json:"recursive,omitempty"`

	// Display says how the tool, its calls and its results are shown to users.
	Display display.Tool `json:"display,omitzero"`

	Source  string `json:"source"`            // "builtin", "browser", "plugin:<id>"
	Version string `json:"version,omitempty"` // the plugin's version
	Digest  string `json:"digest,omitempty"`  // SHA-256 of the plugin's module, in hex
}

// isName reports whether s has the form of a tool's name: [A-Za-z0-9_.-]{1,64}.
func isName(s string) bool {
	return 1 <= len(s) && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("_.-", r)
	})
}

// AnyPath in [Spec.Writes] stands for every path.
const AnyPath = "*"

// Writable returns the folders in which a call may change anything; nil: it changes only
// paths that its arguments name.
func (s Spec) Writable() (folders []string) {
	if s.SideEffectClass == Read || !slices.Contains(s.Writes, AnyPath) {
		return nil
	}
	for _, p := range s.Paths {
		if !strings.HasPrefix(p, "ro:") {
			folders = append(folders, p)
		}
	}
	return folders
}

// SpecError is one error in a [Spec].
type SpecError struct {
	Key     string // the JSON key in the spec
	Message message.Message
}

// Errors returns all errors in s. A missing side-effect class is an error, because it must
// not count as harmless.
func (s Spec) Errors() []SpecError {
	var faults []SpecError
	add := func(key, code string, pairs ...any) {
		faults = append(faults, SpecError{key, message.New(code, pairs...)})
	}
	if !isName(s.Name) {
		add("name", "call.bad_name", "name", s.Name)
	}
	if !slices.Contains([]SideEffectClass{Read, Write, Auth}, s.SideEffectClass) {
		add("side_effect_class", "call.unknown_class", "class", s.SideEffectClass)
	}
	if !s.Effect.IsKnown() {
		add("effect", "call.unknown_effect", "effect", s.Effect)
	} else if s.SideEffectClass == Read && s.Effect != EffectRead && s.Effect != EffectNavigate {
		add("effect", "call.effect_needs_write", "effect", s.Effect)
	}
	if i := slices.IndexFunc(s.CanAchieve, plan.IsChangingKey); i >= 0 && s.SideEffectClass == Read {
		add("can_achieve", "call.goal_needs_write", "key", s.CanAchieve[i])
	}
	if !slices.Contains([]RetryProfile{RetryNone, RetryTransient, RetryRateLimited}, s.RetryProfile) {
		add("retry_profile", "call.unknown_retry_profile", "profile", s.RetryProfile)
	}
	if s.RetryProfile == RetryTransient && s.SideEffectClass != Read {
		add("retry_profile", "call.transient_write")
	}
	if s.TimeoutMS < 0 {
		add("timeout_ms", "call.negative_timeout", "timeout", s.TimeoutMS)
	}
	if _, known := knownParams(s.ArgsSchema); !known && !json.Valid(s.ArgsSchema) {
		add("args_schema", "call.bad_args_schema")
	}
	return faults
}

// Validate returns the first error in s.
func (s Spec) Validate() error {
	if faults := s.Errors(); len(faults) > 0 {
		return message.Error("call.bad_tool", "name", s.Name, "fault", faults[0].Message)
	}
	return nil
}

// WithDefaults returns s with defaults for unset fields: no retry, the default timeout,
// and empty instead of nil lists.
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

// Fingerprint returns the SHA-256, in hex, of the spec, including the digest of the
// module. Approvals bind to it, so that a replaced tool needs another approval. It leaves
// out Granted, Page, PageOfURL, PageURLOf and Display.
func (s Spec) Fingerprint() string {
	if len(s.Granted) > 0 {
		s.Paths = slices.DeleteFunc(slices.Clone(s.Paths), func(p string) bool { return slices.Contains(s.Granted, strings.TrimPrefix(p, "ro:")) })
	}
	s.Granted, s.Page, s.PageOfURL, s.Display = nil, NoPage, nil, display.Tool{}
	b, err := json.Marshal(s.WithDefaults())
	if err != nil {
		return "unhashable" // an args_schema with invalid JSON; matches nothing
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// OpenedURLs returns the URLs in args that a call opens according to [Spec.Opens].
func (s Spec) OpenedURLs(args map[string]any) []string {
	var urls []string
	for _, name := range s.Opens {
		if u, ok := args[name].(string); ok && u != "" {
			urls = append(urls, u)
		}
	}
	return urls
}
