// Package rights says what a plugin may do: as a list that can be written down
// and compared with that of another version, and in words for the person who
// grants it.
//
// A manifest asks; what is granted at installation is what it asked for then.
// An update that asks for more is held back until a person has seen the
// difference.
package rights

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Kind is what sort of thing a right is about.
type Kind string

// Kinds, with what [Right.Level] and [Right.Name] are for each.
const (
	Host    Kind = "host"     // allow or deny, a pattern
	Folder  Kind = "folder"   // ro or rw, a root
	Quota   Kind = "quota"    // bytes that a call may write, a root
	MaxFile Kind = "max_file" // bytes, a root
	Secret  Kind = "secret"   // the pattern of where it may be sent, the config's key
	Tool    Kind = "tool"     // class/effect, the tool's name
	Writes  Kind = "writes"   // any: it may change anything in the folders, not only what a call names; the tool's name
	Goal    Kind = "goal"     // a key of can_achieve, by which the person's words find the tool; the tool's name
	Answers Kind = "answers"  // own: they count as the plugin's own words and not as those of others, a tool's name
	Limit   Kind = "limit"    // a number, or none for no bound; the key in [limits]
	State   Kind = "state"    // sticky, calls
	Needs   Kind = "needs"    // module, what its imports are for
)

var kinds = []Kind{Host, Folder, Quota, MaxFile, Secret, Tool, Writes, Goal, Answers, Limit, State, Needs}

// Right is one thing that a plugin may do.
type Right struct {
	Kind        Kind
	Level, Name string
}

// String is the right on one line, as [Parse] reads it.
func (r Right) String() string { return string(r.Kind) + " " + r.Level + " " + r.Name }

// List is all that a plugin may do, in order and each once.
type List []Right

const unbounded = "none"

// Of is what a manifest asks for. needs is what its module's imports are for,
// as an inspection has it.
func Of(m *manifest.Manifest, needs []string) List {
	var l List
	add := func(kind Kind, level, name string) { l = append(l, Right{kind, level, name}) }
	for _, h := range m.Hosts {
		if denied, ok := strings.CutPrefix(h, "!"); ok {
			add(Host, "deny", denied)
		} else {
			add(Host, "allow", h)
		}
	}
	for _, p := range m.Paths {
		add(Folder, p.Mode, p.Root)
		if p.Mode == "rw" {
			add(Quota, number(p.Quota), p.Root)
			add(MaxFile, number(p.MaxFile), p.Root)
		}
	}
	for key, c := range m.Config {
		for _, h := range c.Hosts {
			add(Secret, h, key)
		}
	}
	timeout := 0
	for _, t := range m.Tools {
		add(Tool, string(t.SideEffectClass)+"/"+string(t.Effect), t.Name)
		if slices.Contains(m.Spec(t).Writes, tool.AnyPath) {
			add(Writes, "any", t.Name)
		}
		for _, key := range t.CanAchieve {
			if words := strings.Fields(key); len(words) == 1 && words[0] == key { // no goal's key has a blank
				add(Goal, key, t.Name)
			}
		}
		if !t.Untrusted { // as it says itself: without hosts and folders there are no others' words
			add(Answers, "own", t.Name)
		}
		timeout = max(timeout, m.TimeoutMS(t))
	}
	amounts := amountsOf(m.Limits)
	amounts["timeout_ms"] = uint64(timeout)
	for key, n := range amounts {
		add(Limit, number(n), key)
	}
	if m.Limits.Fuel == 0 {
		add(Limit, unbounded, "fuel")
	}
	if m.State == manifest.Sticky {
		add(State, string(manifest.Sticky), "calls")
	}
	for _, n := range needs {
		add(Needs, "module", n)
	}
	return l.sorted()
}

// amountsOf are the limits that are numbers. A fuel of 0 is none.
func amountsOf(l manifest.Limits) map[string]uint64 {
	amounts := map[string]uint64{
		"memory": uint64(l.Memory), "timeout_ms": uint64(l.TimeoutMS), "output": uint64(l.Output),
		"http_body": uint64(l.HTTPBody), "http_requests": uint64(l.HTTPRequests), "vars": uint64(l.Vars),
		"log_lines": uint64(l.LogLines), "instances": uint64(l.Instances), "open_files": uint64(l.OpenFiles),
	}
	if l.Fuel > 0 {
		amounts["fuel"] = uint64(l.Fuel)
	}
	return amounts
}

// defaults are the limits of a manifest that says nothing of them.
var defaults = func() map[string]uint64 {
	return amountsOf(manifest.Limits{
		Memory: manifest.DefaultMemory, TimeoutMS: tool.DefaultTimeoutMS, Output: manifest.DefaultOutput,
		HTTPBody: manifest.DefaultHTTPBody, HTTPRequests: manifest.DefaultHTTPRequests, Vars: manifest.DefaultVars,
		LogLines: manifest.DefaultLogLines, Instances: manifest.DefaultInstances, OpenFiles: manifest.DefaultOpenFiles,
	})
}()

func number[T ~uint64](n T) string { return strconv.FormatUint(uint64(n), 10) }

// sorted puts the list in order. Of two rights that say how much of the same
// thing, the greater one holds.
func (l List) sorted() List {
	slices.SortFunc(l, func(a, b Right) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Name, b.Name), b.compare(a))
	})
	return slices.CompactFunc(l, func(a, b Right) bool { return a == b || a.Name == b.Name && a.Kind == b.Kind && a.hasLevel() })
}

// hasLevel reports whether a greater level holds all of a smaller one.
func (r Right) hasLevel() bool { return r.Kind == Folder || r.isNumeric() }

func (r Right) isNumeric() bool { return r.Kind == Limit || r.Kind == Quota || r.Kind == MaxFile }

// compare is how much two rights of one kind and name allow.
func (r Right) compare(other Right) int {
	if r.isNumeric() {
		a, _ := r.amount()
		b, _ := other.amount()
		return cmp.Compare(a, b)
	}
	return cmp.Compare(r.Level, other.Level)
}

// denies reports whether the right is one that is taken away.
func (r Right) denies() bool {
	return r.Kind == Host && r.Level == "deny" || r.Kind == Secret && strings.HasPrefix(r.Level, "!")
}

// Lines is the list as [Parse] reads it.
func (l List) Lines() []string {
	lines := make([]string, len(l))
	for i, r := range l {
		lines[i] = r.String()
	}
	return lines
}

// Parse reads what [List.Lines] wrote. A kind that it doesn't know is an error:
// nobody could say what it grants.
func Parse(lines []string) (List, error) {
	l := List{}
	for _, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		level, name, ok := strings.Cut(rest, " ")
		r := Right{Kind(kind), level, name}
		if !ok || level == "" || name == "" || !slices.Contains(kinds, r.Kind) {
			return nil, message.Error("rights.unknown_right", "line", line)
		}
		if _, err := r.amount(); err != nil {
			return nil, message.Error("rights.bad_amount", "line", line, "cause", err)
		}
		l = append(l, r)
	}
	return l.sorted(), nil
}

// Digest is the SHA-256 of the list, in hex.
func (l List) Digest() string {
	sum := sha256.Sum256([]byte(strings.Join(l.Lines(), "\n")))
	return hex.EncodeToString(sum[:])
}

// amount is the number of a right that has one; the largest for none.
func (r Right) amount() (uint64, error) {
	switch {
	case !r.isNumeric():
		return 0, nil
	case r.Level == unbounded:
		return ^uint64(0), nil
	}
	return strconv.ParseUint(r.Level, 10, 64)
}
