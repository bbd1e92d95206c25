package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/planner/plan"
)

// Rule is one of the person's own rules. A field that is empty matches
// everything; at least one must be set. Rules are read without order: a
// denying one beats an asking one beats an allowing one. An allowing rule
// lets a call run without being asked about; it opens no host.
type Rule struct {
	Verdict Verdict           `toml:"verdict"`
	Tool    string            `toml:"tool"`   // glob
	Effect  string            `toml:"effect"` // read, navigate, input, commit, file
	Host    string            `toml:"host"`   // a pattern; to deny or ask it covers every scheme and port that it doesn't name
	Origin  string            `toml:"origin"` // who asked
	Args    map[string]string `toml:"args"`   // JSON pointer → exact value or glob
	Exact   bool              `toml:"exact"`  // Args are all the arguments: a call with another one doesn't match
	Reason  string            `toml:"reason"` // shown to the person
	Until   time.Time         `toml:"until"`  // zero: for good
}

type rule struct {
	Rule
	host    Pattern
	args    []argument // Args, sorted by their pointers
	outcome Decision
}

// argument is an entry of a rule's Args, ready to be looked up.
type argument struct {
	pointer string
	tokens  []string // of the pointer
	want    string   // exact value or glob
}

func argumentsOf(args map[string]string) []argument {
	out := make([]argument, 0, len(args))
	for _, pointer := range slices.Sorted(maps.Keys(args)) {
		a := argument{pointer: pointer, want: args[pointer]}
		for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			a.tokens = append(a.tokens, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		}
		out = append(out, a)
	}
	return out
}

func (r Rule) compile(index int) (rule, error) {
	c := rule{Rule: r, args: argumentsOf(r.Args)}
	var errs []error
	if r.Tool == "" && r.Effect == "" && r.Host == "" && r.Origin == "" && len(r.Args) == 0 {
		errs = append(errs, errors.New(`it names nothing, so it would match everything: write tool = "*" if that is meant`))
	}
	if r.Verdict < Deny || r.Verdict > Allow {
		errs = append(errs, errors.New("its verdict is not deny, ask or allow"))
	}
	if r.Exact && r.Tool == "" {
		errs = append(errs, errors.New("exact is about one tool's arguments: write the tool"))
	}
	if r.Effect != "" && !slices.Contains([]string{"read", "navigate", "input", "commit", "file"}, r.Effect) {
		errs = append(errs, fmt.Errorf("effect %q is not read, navigate, input, commit or file", r.Effect))
	}
	if r.Origin != "" && !slices.Contains(plan.Origins(), plan.Origin(r.Origin)) {
		errs = append(errs, fmt.Errorf("origin %q is not one of %v", r.Origin, plan.Origins()))
	}
	for _, a := range c.args {
		if r.Exact && len(a.tokens) != 1 {
			errs = append(errs, fmt.Errorf("args key %q leads into an argument: with exact each stands for a whole one", a.pointer))
		}
		if !strings.HasPrefix(a.pointer, "/") {
			errs = append(errs, fmt.Errorf("args key %q is no JSON pointer: it starts with /", a.pointer))
		}
	}
	if r.Host != "" {
		text := r.Host
		if r.Verdict != Allow {
			text = "!" + text // a ban has no gap: see Pattern
		}
		var err error
		if c.host, err = ParsePattern(text); err != nil {
			errs = append(errs, fmt.Errorf("host %q: %w", r.Host, err))
		} else if c.host.deny && r.Verdict == Allow {
			errs = append(errs, fmt.Errorf("host %q: drop the !, a rule has a verdict", r.Host))
		}
	}
	reason := r.Reason
	if reason == "" {
		reason = "a rule of the config says so"
	}
	c.outcome = Decision{Verdict: r.Verdict, Rule: fmt.Sprintf("rules[%d]", index), Reason: reason}
	return c, errors.Join(errs...)
}

// applies says whether the rule is in force and matches the request, whose
// URLs lead to targets. An allowing rule must cover every target, a stricter
// one needs a single one.
func (c *rule) applies(r *Request, targets []Target) bool {
	if c.over(r) || c.Tool != "" && !glob(c.Tool, r.Tool) || c.Effect != "" && c.Effect != r.Effect ||
		c.Origin != "" && c.Origin != string(r.Origin) || c.Exact && len(r.Args) != len(c.args) || c.Host != "" && !c.covers(targets) {
		return false
	}
	for i := range c.args {
		value, ok := c.args[i].of(r.Args)
		if !ok || !glob(c.args[i].want, value) {
			return false
		}
	}
	return true
}

// over says whether the rule's time has passed, or may have.
func (c *rule) over(r *Request) bool {
	return !c.Until.IsZero() && (r.At.IsZero() && c.Verdict == Allow || !r.At.IsZero() && !r.At.Before(c.Until))
}

// covers says whether the targets are the rule's: all of them for an allowing
// one, a single one for a stricter one.
func (c *rule) covers(targets []Target) bool {
	some := false
	for i := range targets {
		switch covered := c.host.matches(&targets[i]); {
		case covered && c.Verdict != Allow:
			return true
		case covered:
			some = true
		case c.Verdict == Allow:
			return false
		}
	}
	return some
}

// strictest is the strictest of the rules that apply, false where none does.
func (p *Policy) strictest(r *Request, targets []Target) (Decision, bool) {
	var best Decision
	found := false
	for i := range p.rules {
		if c := &p.rules[i]; c.applies(r, targets) && (!found || c.outcome.Verdict < best.Verdict) {
			best, found = c.outcome, true
		}
	}
	return best, found
}

// onWire is what the rules say once a call is on the wire. Only rules that
// name a host speak here, the others have spoken about the call; and they
// only tighten.
func (p *Policy) onWire(r *Request, t *Target) Decision {
	best := allow(RuleFloor, "")
	for i := range p.rules {
		c := &p.rules[i]
		if c.Host == "" || c.Verdict == Allow || c.Verdict == Ask && r.Approved || c.outcome.Verdict >= best.Verdict {
			continue
		}
		if c.applies(r, []Target{*t}) {
			best = c.outcome
		}
	}
	return best
}

// of reads the value at the argument's JSON pointer (RFC 6901) as text: a string
// as it is, all else as JSON.
func (a *argument) of(args map[string]any) (string, bool) {
	var value any = args
	for _, token := range a.tokens {
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[token]
			if !ok {
				return "", false
			}
			value = inner
		case []any:
			i, ok := parseIndex(token)
			if !ok || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if s, ok := value.(string); ok {
		return s, true
	}
	b, err := json.Marshal(value)
	return string(b), err == nil
}

func parseIndex(token string) (int, bool) {
	if token == "0" {
		return 0, true
	}
	n, ok := parsePort(token) // no sign, no leading zero; longer lists aren't addressed
	return int(n), ok
}
