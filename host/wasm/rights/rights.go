// Package rights lists what a plugin may do. The list can be stored, compared with the
// list of another version, and described to the user.
//
// A manifest requests rights, and the user grants them at installation. An update that
// requests more waits until the user has seen the difference.
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

// Kind is the kind of a right.
type Kind string

// Kinds. Each comment says what [Right.Level] and [Right.Name] contain.
const (
	Host    Kind = "host"     // allow or deny, a pattern
	Folder  Kind = "folder"   // ro or rw, a root
	Quota   Kind = "quota"    // bytes that a call may write, a root
	MaxFile Kind = "max_file" // bytes, a root
	Secret  Kind = "secret"   // the pattern of where it may be sent, the config's key
	Setting Kind = "setting"  // text, or secret if the plugin never sees it; the config's key
	Tool    Kind = "tool"     // class/effect, the tool's name
	Writes  Kind = "writes"   // any: it may change anything in the folders, not only what a call names; the tool's name
	Below   Kind = "below"    // an argument: a call may change everything below the path that it names; the tool's name
	Part    Kind = "part"     // see [toolParts]; the tool's name
	Effect  Kind = "effect"   // the tool's name, an effect that selects it for a goal
	Phrase  Kind = "phrase"   // the tool's name, a phrase that calls it, with the constants in JSON
	Goal    Kind = "goal"     // a key of can_achieve, which selects the tool for a goal; the tool's name
	Answers Kind = "answers"  // own: its answers are trusted like the plugin itself; the tool's name
	Limit   Kind = "limit"    // a number, or none if unlimited; the key in [limits]
	State   Kind = "state"    // sticky, calls
	Needs   Kind = "needs"    // module; a feature that its imports use
)

var kinds = []Kind{Host, Folder, Quota, MaxFile, Secret, Setting, Tool, Writes, Below, Part, Effect, Phrase, Goal, Answers, Limit, State, Needs}

// Right is one thing that a plugin may do.
type Right struct {
	Kind        Kind
	Level, Name string
}

// String returns the right as one line, which [Parse] reads.
func (r Right) String() string { return string(r.Kind) + " " + r.Level + " " + r.Name }

// List is all rights of a plugin, sorted and without duplicates.
type List []Right

const (
	unbounded = "none"

	inClear, asSecret = "text", "secret" // levels of [Setting]; a greater text means more
)

// FromManifest returns the rights that a manifest requests. needs are the features that its
// module's imports use, from an inspection.
func FromManifest(m *manifest.Manifest, needs []string) List {
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
		level := inClear
		if c.Type == "secret" {
			level = asSecret
		}
		add(Setting, level, key)
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
		for _, arg := range m.Spec(t).Writes {
			if arg != tool.AnyPath && !slices.Contains(t.WritesItself, arg) {
				add(Below, arg, t.Name)
			}
		}
		for _, p := range toolParts {
			if p.has(t) {
				add(Part, p.level, t.Name)
			}
		}
		for _, effect := range t.Effects {
			add(Effect, t.Name, strings.Join(strings.Fields(effect), " "))
		}
		for _, key := range t.CanAchieve {
			if words := strings.Fields(key); len(words) == 1 && words[0] == key { // a goal's key contains no blank
				add(Goal, key, t.Name)
			}
		}
		if !t.Untrusted { // the manifest may only say so of a tool without hosts and folders
			add(Answers, "own", t.Name)
		}
		timeout = max(timeout, m.TimeoutMS(t))
	}
	for _, p := range m.Phrases {
		add(Phrase, p.Tool, phraseName(p))
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
	return l.normalize()
}

// amountsOf returns the numeric limits. Fuel 0 means unlimited and is omitted.
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

// defaults are the limits of a manifest without any.
var defaults = func() map[string]uint64 {
	return amountsOf(manifest.Limits{
		Memory: manifest.DefaultMemory, TimeoutMS: tool.DefaultTimeoutMS, Output: manifest.DefaultOutput,
		HTTPBody: manifest.DefaultHTTPBody, HTTPRequests: manifest.DefaultHTTPRequests, Vars: manifest.DefaultVars,
		LogLines: manifest.DefaultLogLines, Instances: manifest.DefaultInstances, OpenFiles: manifest.DefaultOpenFiles,
	})
}()

func number[T ~uint64](n T) string { return strconv.FormatUint(uint64(n), 10) }

// normalize sorts the list and removes duplicates. Of two amounts for the same object, it
// keeps the greater one.
func (l List) normalize() List {
	slices.SortFunc(l, func(a, b Right) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Name, b.Name), b.compare(a))
	})
	return slices.CompactFunc(l, func(a, b Right) bool { return a == b || a.Name == b.Name && a.Kind == b.Kind && a.hasLevel() })
}

// hasLevel reports whether a greater level includes a smaller one.
func (r Right) hasLevel() bool { return r.Kind == Folder || r.Kind == Setting || r.isNumeric() }

func (r Right) isNumeric() bool { return r.Kind == Limit || r.Kind == Quota || r.Kind == MaxFile }

// compare compares the levels of two rights of one kind and name.
func (r Right) compare(other Right) int {
	if r.isNumeric() {
		a, _ := r.amount()
		b, _ := other.amount()
		return cmp.Compare(a, b)
	}
	return cmp.Compare(r.Level, other.Level)
}

// isDenial reports whether the right is an exception that denies something.
func (r Right) isDenial() bool {
	return r.Kind == Host && r.Level == "deny" || r.Kind == Secret && strings.HasPrefix(r.Level, "!")
}

// SecretSettings returns the keys of the settings that are secrets.
func (l List) SecretSettings() []string { return l.names(Setting, asSecret) }

// Lines returns the list as lines, which [Parse] reads.
func (l List) Lines() []string {
	lines := make([]string, len(l))
	for i, r := range l {
		lines[i] = r.String()
	}
	return lines
}

// Parse reads the result of [List.Lines]. An unknown kind is an error, because its
// meaning can't be shown to the user.
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
	return l.normalize(), nil
}

// Digest returns the SHA-256 of the list, in hex.
func (l List) Digest() string {
	sum := sha256.Sum256([]byte(strings.Join(l.Lines(), "\n")))
	return hex.EncodeToString(sum[:])
}

// amount returns the number of a numeric right, or the largest number if unlimited.
func (r Right) amount() (uint64, error) {
	switch {
	case !r.isNumeric():
		return 0, nil
	case r.Level == unbounded:
		return ^uint64(0), nil
	}
	return strconv.ParseUint(r.Level, 10, 64)
}
