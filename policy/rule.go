package policy

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"errand/planner/message"
	"errand/policy/folder"
)

// rule is a validated [Rule], prepared for matching.
type rule struct {
	Rule
	fields []*ruleField // the fields that are set and limit the rule
	size   int          // conditions in fields
	host   Pattern
	args   []argument // Args, sorted by their pointers
	// realPath, walkPaths, fileID and mounts are those of [Settings].
	realPath  func(string) string
	walkPaths func(string, bool, func(string) bool) bool
	fileID    func(string) string
	mounts    func() folder.Mounts
	outcome   Decision
}

// compile checks a rule; index is its position in the configuration. The error joins
// everything that is wrong with it.
func (r Rule) compile(index int) (rule, error) {
	c := rule{Rule: r, args: parseArguments(r.Args)}
	var errs []error
	about := false
	for i := range ruleFields {
		f := &ruleFields[i]
		values := f.value(&r)
		if len(values) == 0 {
			continue
		}
		about = about || f.role == subject
		if f.check != nil {
			errs = append(errs, f.check(&c)...)
		}
		if f.matches != nil {
			c.fields = append(c.fields, f)
			c.size += len(values)
		}
	}
	if !about {
		errs = append(errs, message.Error("policy.rule_without_subject"))
	}
	reason := message.Verbatim(r.Reason)
	switch {
	case !reason.IsZero():
	case r.Exact && r.Verdict == Allow:
		reason = message.New("policy.exact_rule")
	default:
		reason = message.New("policy.config_rule")
	}
	c.outcome = Decision{Verdict: r.Verdict, Rule: fmt.Sprintf("rules[%d]", index), Reason: reason}
	return c, errors.Join(errs...)
}

// applies reports whether the rule is in force and matches the request.
func (c *rule) applies(q *question) bool {
	for _, f := range c.fields {
		if !f.matches(c, q) {
			return false
		}
	}
	return true
}

// nearMiss returns the condition that keeps a rule from matching. It returns false
// unless that is the only one and the rule is close otherwise: another condition
// matches, or the host is a parent or child of a target's.
func (c *rule) nearMiss(q *question) (message.Message, bool) {
	misses := c.listMisses(q)
	if len(misses) != 1 || c.size < 2 && !slices.ContainsFunc(q.targets, c.host.isRelated) {
		return message.Message{}, false
	}
	return misses[0], true
}

// listMisses returns why the rule does not apply: each condition that does not match.
func (c *rule) listMisses(q *question) (out []message.Message) {
	for _, f := range c.fields {
		if !f.matches(c, q) {
			out = append(out, f.misses(c, q)...)
		}
	}
	return out
}

// strictestRule returns the decision of the strictest rule that applies, false if none
// does.
func (p *Policy) strictestRule(r *Request, targets []Target) (Decision, bool) {
	var best Decision
	found := false
	q := newQuestion(r, targets)
	defer q.release()
	for i := range p.rules {
		if c := &p.rules[i]; c.applies(q) && (!found || c.outcome.Verdict < best.Verdict) {
			best, found = c.decision(q), true
		}
	}
	return best, found
}

// decideConnection applies the rules to a connection of a call that was already
// decided. Only rules with a host count, and they can only be stricter.
func (p *Policy) decideConnection(r *Request, t *Target) Decision {
	best := allow(RuleFloor, message.Message{})
	q := newQuestion(r, []Target{*t})
	defer q.release()
	for i := range p.rules {
		c := &p.rules[i]
		if c.Host == "" || c.Verdict == Allow || c.Verdict == Ask && r.Approved || c.outcome.Verdict >= best.Verdict {
			continue
		}
		if c.applies(q) {
			best = c.outcome
		}
	}
	return best
}

// question is a request with the targets of its URLs, as rules see it.
type question struct {
	Request
	targets []Target
}

// questions is a pool. The functions in [ruleFields] would otherwise make every request
// escape to the heap.
var questions = sync.Pool{New: func() any { return new(question) }}

func newQuestion(r *Request, targets []Target) *question {
	q := questions.Get().(*question)
	q.Request, q.targets = *r, append(q.targets[:0], targets...)
	return q
}

func (q *question) release() {
	q.Request = Request{}
	clear(q.targets)
	questions.Put(q)
}
