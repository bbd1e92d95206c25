package policy

import (
	"slices"
	"strconv"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/glob"
)

// Rule is one of the user's own rules. An empty field matches everything; at least one
// subject field must be set. The order of rules does not matter: deny beats ask beats
// allow. A rule that allows lets a call run without approval; it allows no host.
type Rule struct {
	Verdict Verdict           `toml:"verdict"`
	Tool    string            `toml:"tool"`
	Effect  string            `toml:"effect"`
	Host    string            `toml:"host"`
	Origin  string            `toml:"origin"`
	Args    map[string]string `toml:"args"`
	Exact   bool              `toml:"exact"`
	Reason  string            `toml:"reason"`
	Until   time.Time         `toml:"until"`
}

// ruleFields has a row for each field of [Rule]. Matching, explanations, the digest,
// views and documents use only this table.
var ruleFields = []ruleField{
	{
		key: "verdict", role: outcome, doc: "`deny`, `ask` or `allow`",
		value: func(r *Rule) []Condition { return []Condition{{"verdict", r.Verdict.String()}} },
		check: checkVerdict,
	},
	{
		key: "tool", role: subject, doc: "a glob: `*` any text, slashes included, `?` one character",
		value:   func(r *Rule) []Condition { return condition("tool", r.Tool) },
		matches: func(c *rule, q *question) bool { return glob.Match(c.Tool, q.Tool) },
		misses:  func(c *rule, _ *question) []message.Message { return missField("tool", c.Tool, "") },
	},
	{
		key: "effect", role: subject, doc: "`read`, `navigate`, `input`, `commit` or `file`",
		value:   func(r *Rule) []Condition { return condition("effect", r.Effect) },
		check:   checkEffect,
		matches: func(c *rule, q *question) bool { return c.Effect == q.Effect },
		misses: func(c *rule, q *question) []message.Message {
			return missField("effect", c.Effect, q.Effect)
		},
	},
	{
		key: "origin", role: subject,
		doc: "who asked: `user_goal` (your goal, typed or spoken, or your own recipe) `schedule` (a goal of yours that was due), `api` (a job of `errand serve --api`), `agent` (a task of a language model), `mcp` (an agent of another program) or `upload` (a recipe file from elsewhere). " +
			"`request` and `task` are reserved for other programs",
		value:   func(r *Rule) []Condition { return condition("origin", r.Origin) },
		check:   checkOrigin,
		matches: func(c *rule, q *question) bool { return c.Origin == string(q.Origin) },
		misses: func(c *rule, q *question) []message.Message {
			return missField("origin", c.Origin, string(q.Origin))
		},
	},
	{
		key: "host", role: subject, doc: "a pattern; to deny or ask it covers every scheme and port that it doesn't name",
		value:   func(r *Rule) []Condition { return condition("host", r.Host) },
		check:   checkHost,
		matches: func(c *rule, q *question) bool { return c.covers(q.targets) },
		misses:  func(c *rule, _ *question) []message.Message { return missField("host", c.Host, "") },
	},
	{
		key: "args", role: subject, doc: "JSON pointer → exact value or glob; all must match. Of a list, one item must match to deny or ask, and every item to allow. A path counts in all its readings: cleaned, and with links resolved. The call uses the place that was decided about. To deny or ask, `/A/*` covers the folder `/A` too, and calls that use a [folder as a whole](#folders-as-a-whole)",
		value:   argumentConditions,
		check:   checkArguments,
		matches: matchArguments,
		misses:  missArguments,
	},
	{
		key: "exact", role: limit, doc: "`true`: these are all the arguments; a call with one more doesn't match. It needs `tool`",
		value: func(r *Rule) []Condition {
			if !r.Exact {
				return nil
			}
			return []Condition{{"exact", strconv.FormatBool(r.Exact)}}
		},
		check:   checkExact,
		matches: func(c *rule, q *question) bool { return len(q.Args) == len(c.args) },
		misses: func(c *rule, q *question) []message.Message {
			if len(q.Args) < len(c.args) {
				return nil // args lists each condition by itself
			}
			return miss("policy.no_other_arguments")
		},
	},
	{
		key: "reason", role: comment, doc: "shown to the user",
		value: func(r *Rule) []Condition { return condition("reason", r.Reason) },
	},
	{
		key: "until", role: term, doc: "a time from which the rule no longer counts",
		value: func(r *Rule) []Condition {
			if r.Until.IsZero() {
				return nil
			}
			return []Condition{{"until", r.Until.UTC().Format(time.RFC3339Nano)}}
		},
		matches: matchTerm,
		misses: func(c *rule, _ *question) []message.Message {
			return miss("policy.ended", "until", c.Until.UTC())
		},
	},
}

// ruleField describes one field of a rule.
type ruleField struct {
	key  string // in errand.toml
	doc  string // what to write there, as Markdown
	role role

	value   func(r *Rule) []Condition                    // the values of the field; nil if it is empty
	check   func(c *rule) []error                        // validates a field that is set, and may prepare c; nil: every value is valid
	matches func(c *rule, q *question) bool              // of a field that is set; nil: the field does not limit the rule
	misses  func(c *rule, q *question) []message.Message // why matches is false
}

// role is the purpose of a field in a rule.
type role int

const (
	subject role = iota // what the rule is about; one is required
	limit               // narrows the subject
	term                // how long the rule applies
	outcome             // the decision
	comment             // no effect
)

// Condition is a name and a value that limit a rule. The name is the key of a field, or
// for args the JSON pointer.
type Condition struct{ Name, Value string }

// Conditions returns what a rule matches, without its end.
func (r Rule) Conditions() (all []Condition) {
	for i := range ruleFields {
		if f := &ruleFields[i]; f.role == subject || f.role == limit {
			all = append(all, f.value(&r)...)
		}
	}
	return all
}

// encode encodes everything that a rule's decisions depend on, uniquely.
func (r Rule) encode() string {
	var fields []string
	for i := range ruleFields {
		f := &ruleFields[i]
		values := f.value(&r)
		if f.role == comment || len(values) == 0 {
			continue
		}
		texts := []string{f.key}
		for _, v := range values {
			texts = append(texts, v.Name, v.Value)
		}
		fields = append(fields, join(texts...))
	}
	return join(fields...)
}

func condition(name, value string) []Condition {
	if value == "" {
		return nil
	}
	return []Condition{{name, value}}
}

func miss(code string, pairs ...any) []message.Message {
	return []message.Message{message.New(code, pairs...)}
}

// missField returns the message that a field wants another value. actual is the
// request's value; if it is empty, the message leaves it out.
func missField(key, want, actual string) []message.Message {
	if actual == "" {
		return miss("policy.for_field", "field", key, "want", want)
	}
	return miss("policy.for_other_field", "field", key, "want", want, "actual", actual)
}

func checkVerdict(c *rule) []error {
	if c.Verdict < Deny || c.Verdict > Allow {
		return []error{message.Error("policy.unknown_rule_verdict")}
	}
	return nil
}

func checkEffect(c *rule) []error {
	if slices.Contains([]string{"read", "navigate", "input", "commit", "file"}, c.Effect) {
		return nil
	}
	return []error{message.Error("policy.unknown_effect", "effect", c.Effect)}
}

func checkOrigin(c *rule) []error {
	if slices.Contains(plan.Origins(), plan.Origin(c.Origin)) {
		return nil
	}
	return []error{message.Error("policy.unknown_origin", "origin", c.Origin, "origins", plan.Origins())}
}

// checkHost parses the pattern. If the rule denies or asks, it is parsed as a denying
// pattern, which covers all schemes and ports unless it names one.
func checkHost(c *rule) []error {
	text := c.Host
	if c.Verdict != Allow {
		text = "!" + text
	}
	var err error
	if c.host, err = ParsePattern(text); err != nil {
		return []error{message.Error("policy.bad_rule_host", "host", c.Host, "cause", err)}
	}
	if c.host.deny && c.Verdict == Allow {
		return []error{message.Error("policy.negated_rule_host", "host", c.Host)}
	}
	return nil
}

// covers reports whether the pattern of the rule's host covers the targets: all of them
// for a rule that allows, one of them for a stricter rule.
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

func checkExact(c *rule) (errs []error) {
	if c.Tool == "" {
		errs = append(errs, message.Error("policy.exact_needs_tool"))
	}
	for _, a := range c.args {
		if len(a.place) != 1 {
			errs = append(errs, message.Error("policy.nested_argument_pointer", "pointer", a.pointer))
		}
	}
	return errs
}

// matchTerm reports whether the rule has not ended. At an unknown time a rule with an
// end does not apply if it allows, and applies if it is stricter.
func matchTerm(c *rule, q *question) bool {
	if q.At.IsZero() {
		return c.Verdict != Allow
	}
	return q.At.Before(c.Until)
}
