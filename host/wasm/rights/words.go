package rights

import (
	"fmt"
	"slices"
	"strings"
)

// does describes what a plugin may do with a folder.
func (r Right) does() string {
	if r.Level == "rw" {
		return "reads and changes"
	}
	return "reads"
}

// sentence describes one right.
func (r Right) sentence() string {
	switch r.Kind {
	case Host:
		if r.Level == "deny" {
			return "never reaches " + r.Name
		}
		return "reaches " + r.Name
	case Folder:
		return r.does() + " " + r.Name
	case Secret:
		if pattern, denied := strings.CutPrefix(r.Level, "!"); denied {
			return fmt.Sprintf("never sends the secret %s to %s", r.Name, pattern)
		}
		return fmt.Sprintf("sends the secret %s to %s", r.Name, r.Level)
	case Tool:
		return fmt.Sprintf("tool %s (%s)", r.Name, said(r.Level))
	case Goal:
		return fmt.Sprintf("is chosen for goals of %s: %s", r.Level, r.Name)
	case Answers:
		return fmt.Sprintf("what %s answers counts as its own words, and no longer as those of others", r.Name)
	case State:
		return "keeps its state between calls"
	case Needs:
		return "its module asks for " + r.Name
	}
	return r.limited() + ": " + r.measure()
}

// Words describes what a plugin may do, one line per right. folders are this
// machine's folders for each root.
func (l List) Words(folders map[string][]string) []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if hosts := l.names(Host, "allow"); len(hosts) > 0 {
		say("reaches %s, where your config allows them too", strings.Join(hosts, ", "))
		if denied := l.names(Host, "deny"); len(denied) > 0 {
			say("never reaches %s", strings.Join(denied, ", "))
		}
	} else {
		say("reaches no host")
	}
	for _, r := range l {
		switch r.Kind {
		case Folder:
			say("%s", l.folder(r, folders[r.Name]))
		case Secret:
			say("%s", r.sentence())
		}
	}
	if !l.any(Folder, "ro") && !l.any(Folder, "rw") {
		say("touches no file")
	}
	lines = append(lines, l.deeds()...)
	for _, r := range l {
		if keys := l.goals(r.Name); r.Kind == Tool && len(keys) > 0 {
			say("%s", Right{Goal, strings.Join(keys, ", "), r.Name}.sentence())
		}
	}
	if l.any(State, "sticky") {
		say("%s", Right{Kind: State}.sentence())
	}
	var raised []string
	for _, r := range l {
		if r.Kind == Limit && r.exceeds(Right{}, false) {
			raised = append(raised, fmt.Sprintf("%s %s (usually %s)", r.Name, r.measure(), Right{Limit, usualLevel(r.Name), r.Name}.measure()))
		}
	}
	if len(raised) > 0 {
		say("limits above the usual: %s", strings.Join(raised, ", "))
	}
	return lines
}

// folder describes a root, its folders and the limits for writing.
func (l List) folder(r Right, here []string) string {
	line := r.does() + " " + r.Name
	if len(here) == 0 {
		return line + ": no folder is granted"
	}
	line += ": " + strings.Join(here, ", ")
	if r.Level == "rw" {
		quota, _ := l.find(Right{Quota, "", r.Name})
		largest, _ := l.find(Right{MaxFile, "", r.Name})
		line += fmt.Sprintf(" (at most %s a call, %s a file)", quota.measure(), largest.measure())
	}
	return line
}

// goals returns the keys of the words that select a tool.
func (l List) goals(tool string) (keys []string) {
	for _, r := range l {
		if r.Kind == Goal && r.Name == tool {
			keys = append(keys, r.Level)
		}
	}
	slices.Sort(keys)
	return keys
}

func (l List) names(kind Kind, level string) (names []string) {
	for _, r := range l {
		if r.Kind == kind && r.Level == level {
			names = append(names, r.Name)
		}
	}
	return names
}
