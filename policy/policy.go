package policy

import (
	"errors"
	"maps"
	"net/netip"
	"slices"

	"errand/planner/message"
	"errand/policy/folder"
	"errand/policy/special"
)

// Settings are the user's settings, as in the configuration.
type Settings struct {
	AllowedDomains []string // patterns, see [Pattern]; none allows nothing
	AllowPrivate   []string // "127.0.0.1:11434", "[::1]:8080", "10.20.0.0/16"
	Subresources   string   // what an allowed page may load: "public" (default) or "listed"
	UserGoalTools  []string // globs of the tools that run for the user's own goal without approval
	Rules          []Rule
	// RealPath returns the path of a file without symbolic links, as far as they exist,
	// for rules about arguments that are paths. It must be safe for concurrent use. If
	// it is nil, paths are not resolved.
	RealPath func(path string) string
	// WalkPaths calls visit for every file and folder below a folder without links,
	// until visit returns true. With follow it also visits the targets of links, under
	// their real paths. It returns false if it can't visit all, for example because
	// there are too many. It must be safe for concurrent use. If it is nil, the
	// contents of folders are unknown.
	WalkPaths func(folder string, follow bool, visit func(path string) bool) bool
	// FileID returns an id for a file with several names (hard links), the same for
	// each of them, and "" for any other path. It must be safe for concurrent use. If
	// it is nil, every file has one name.
	FileID func(path string) string
	// Mounts returns what is mounted now, so that a rule about a path also decides about
	// the other paths of the same file. It must be safe for concurrent use. If it is nil,
	// every file has one path.
	Mounts func() folder.Mounts
}

// Policy is a [Decider] made of settings. It is immutable. A nil or zero Policy denies
// everything.
type Policy struct {
	settings Settings
	ready    bool
	floor    bool // only the floor decides

	allowed, denied list
	grants          []Grant
	granted         list // of grants
	private         exceptions
	listedOnly      bool
	rules           []rule
}

// New makes a policy. The error joins every bad entry with its position in the
// settings. The policy is nil then, which denies.
func New(s Settings) (*Policy, error) {
	p := &Policy{settings: s, ready: true}
	var errs []error
	for i, text := range s.AllowedDomains {
		if err := p.addPattern(text); err != nil {
			errs = append(errs, &SettingError{"allowed_domains", i, text, err})
		}
	}
	for i, text := range s.AllowPrivate {
		if err := p.private.add(text); err != nil {
			errs = append(errs, &SettingError{"allow_private", i, text, err})
		}
	}
	for i, r := range s.Rules {
		compiled, err := r.compile(i)
		if err != nil {
			errs = append(errs, &SettingError{"rules", i, "", err})
		}
		compiled.realPath, compiled.walkPaths, compiled.fileID, compiled.mounts = s.RealPath, s.WalkPaths, s.FileID, s.Mounts
		p.rules = append(p.rules, compiled)
	}
	for i, g := range s.UserGoalTools {
		if g == "" {
			errs = append(errs, &SettingError{"user_goal_tools", i, g, message.Error("policy.empty_pattern")})
		}
	}
	switch s.Subresources {
	case "", "public":
	case "listed":
		p.listedOnly = true
	default:
		errs = append(errs, message.Error("policy.bad_subresources", "subresources", s.Subresources))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	p.settings = s.clone()
	return p, nil
}

// FloorOnly returns a policy of the floor alone: it allows everything public. It is for
// explanations, never for running something.
func FloorOnly() *Policy { return &Policy{ready: true, floor: true} }

// WithAllowed returns the policy with further entries of allowed_domains, for one run.
// It reports bad patterns as New does, with their index in patterns.
func (p *Policy) WithAllowed(patterns ...string) (*Policy, error) {
	if p == nil || !p.ready {
		return nil, message.Error("policy.no_policy_to_widen")
	}
	if len(patterns) == 0 {
		return p, nil
	}
	var errs []error
	for _, text := range patterns {
		if _, err := ParsePattern(text); err != nil {
			errs = append(errs, message.Error("policy.bad_host_pattern", "pattern", text, "cause", err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	s := p.settings
	s.AllowedDomains = append(slices.Clip(s.AllowedDomains), patterns...)
	wider, err := New(s)
	if err == nil {
		wider.floor = p.floor
		wider = wider.WithGrants(p.grants...)
	}
	return wider, err
}

// DecideAddr implements [Decider]. It allows public addresses and those in
// allow_private.
func (p *Policy) DecideAddr(a netip.AddrPort) Decision {
	if p == nil || !p.ready {
		return noPolicy
	}
	if special.IsBadPort(a.Port()) {
		return deny(RuleBadPort, message.New("policy.port_not_for_web", "port", a.Port()))
	}
	if p.private.contains(a) && a.Addr().Zone() == "" {
		return allow(RuleAllowPrivate, message.New("policy.allow_private_opens_address"))
	}
	return FloorAddr(a.Addr())
}

var noPolicy = deny(RuleNone, message.New("policy.no_policy"))

func (p *Policy) addPattern(text string) error {
	pattern, err := ParsePattern(text)
	switch {
	case err != nil:
		return err
	case pattern.deny:
		p.denied.add(pattern, nil, len(p.settings.AllowedDomains))
	default:
		p.allowed.add(pattern, nil, len(p.settings.AllowedDomains))
	}
	return nil
}

func (s Settings) clone() Settings {
	s.AllowedDomains = slices.Clone(s.AllowedDomains)
	s.AllowPrivate = slices.Clone(s.AllowPrivate)
	s.UserGoalTools = slices.Clone(s.UserGoalTools)
	s.Rules = slices.Clone(s.Rules)
	for i := range s.Rules {
		s.Rules[i].Args = maps.Clone(s.Rules[i].Args)
	}
	return s
}

// SettingError is the error of one entry of a list in [Settings]. [New] joins one for
// each bad entry.
type SettingError struct {
	Key   string // allowed_domains, allow_private, rules or user_goal_tools
	Index int    // in the list
	Text  string // the entry; empty for a rule
	Cause error  // several are joined
}

func (e *SettingError) Error() string { return e.AsMessage().String() }
func (e *SettingError) Unwrap() error { return e.Cause }

// AsMessage implements [message.Messenger].
func (e *SettingError) AsMessage() message.Message {
	if e.Key == "rules" {
		return message.New("policy.bad_rule", "index", e.Index, "cause", e.Cause)
	}
	return message.New("policy.bad_setting_entry", "key", e.Key, "index", e.Index, "entry", e.Text, "cause", e.Cause)
}
