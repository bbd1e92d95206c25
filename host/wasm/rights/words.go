package rights

import (
	"slices"
	"strings"

	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// sentence describes one right.
func (r Right) sentence() message.Message {
	switch r.Kind {
	case Host:
		if r.Level == "deny" {
			return message.New("rights.never_reaches", "hosts", r.Name)
		}
		return message.New("rights.reaches", "host", r.Name)
	case Folder:
		if r.Level == "rw" {
			return message.New("rights.changes", "root", r.Name)
		}
		return message.New("rights.reads", "root", r.Name)
	case Secret:
		if pattern, denied := strings.CutPrefix(r.Level, "!"); denied {
			return message.New("rights.never_sends_secret", "name", r.Name, "host", pattern)
		}
		return message.New("rights.sends_secret", "name", r.Name, "host", r.Level)
	case Setting:
		return message.New("rights.reads_settings", "names", []string{r.Name})
	case Tool:
		return message.New("rights.tool", "tool", r.Name, "does", describeLevel(r.Level))
	case Writes:
		return message.New("rights.changes_anything", "tools", []string{r.Name})
	case Below:
		return message.New("rights.changes_below", "tool", r.Name, "argument", r.Level)
	case Part:
		for _, p := range toolParts {
			if p.level == r.Level {
				return message.New(p.code, "tool", r.Name)
			}
		}
	case Effect:
		return message.New("rights.chosen_for_effect", "effect", r.Name, "tool", r.Level)
	case Phrase:
		return message.New("rights.answers_to", "phrase", r.Name, "tool", r.Level)
	case Goal:
		return message.New("rights.chosen_for_goals", "goals", r.Level, "tool", r.Name)
	case Answers:
		return message.New("rights.answers_own", "tool", r.Name)
	case State:
		return message.New("rights.keeps_state")
	case Needs:
		return message.New("rights.needs", "need", r.Name)
	case Quota:
		return message.New("rights.quota", "root", r.Name, "amount", r.measure())
	case MaxFile:
		return message.New("rights.max_file", "root", r.Name, "amount", r.measure())
	}
	return message.New("rights.limit", "limit", r.Name, "amount", r.measure())
}

// describeNewAmount describes the new amount of a right beside the earlier one.
func (r Right) describeNewAmount(before Right) message.Message {
	switch r.Kind {
	case Quota:
		return message.New("rights.quota_instead", "root", r.Name, "amount", r.measure(), "before", before.measure())
	case MaxFile:
		return message.New("rights.max_file_instead", "root", r.Name, "amount", r.measure(), "before", before.measure())
	}
	return message.New("rights.limit_instead", "limit", r.Name, "amount", r.measure(), "before", before.measure())
}

// measure returns the amount of a limit: a number, a size or a Message.
func (r Right) measure() any {
	n, _ := r.amount()
	switch {
	case r.Level == unbounded:
		return message.New("rights.unbounded")
	case r.Kind != Limit || slices.Contains([]string{"memory", "output", "http_body", "vars"}, r.Name):
		return manifest.Size(n)
	}
	return r.Level
}

// Words describes what a plugin may do, one message per right. folders are this
// machine's folders for each root.
func (l List) Words(folders map[string][]string) []message.Message {
	var lines []message.Message
	say := func(m message.Message) { lines = append(lines, m) }
	if hosts := l.names(Host, "allow"); len(hosts) > 0 {
		say(message.New("rights.reaches_listed", "hosts", hosts))
		if denied := l.names(Host, "deny"); len(denied) > 0 {
			say(message.New("rights.never_reaches", "hosts", denied))
		}
	} else {
		say(message.New("rights.reaches_none"))
	}
	for _, r := range l {
		switch r.Kind {
		case Folder:
			say(l.folder(r, folders[r.Name]))
		case Secret:
			say(r.sentence())
		}
	}
	if settings := l.names(Setting, inClear); len(settings) > 0 {
		say(message.New("rights.reads_settings", "names", settings))
	}
	if !l.hasKind(Folder, "ro") && !l.hasKind(Folder, "rw") {
		say(message.New("rights.touches_no_file"))
	}
	lines = append(lines, l.byLevel()...)
	if tools := l.names(Writes, "any"); len(tools) > 0 {
		say(message.New("rights.changes_anything", "tools", tools))
	}
	for _, r := range l {
		if keys := l.goals(r.Name); r.Kind == Tool && len(keys) > 0 {
			say(message.New("rights.chosen_for_goals", "goals", keys, "tool", r.Name))
		}
	}
	if l.hasKind(State, "sticky") {
		say(Right{Kind: State}.sentence())
	}
	var raised []message.Message
	for _, r := range l {
		if r.Kind == Limit && r.isStrongerThan(Right{}, false) {
			usual := Right{Limit, usualLevel(r.Name), r.Name}
			raised = append(raised, message.New("rights.raised_limit", "limit", r.Name, "amount", r.measure(), "usual", usual.measure()))
		}
	}
	if len(raised) > 0 {
		say(message.New("rights.raised_limits", "limits", raised))
	}
	return lines
}

// folder describes a root, its folders and the limits for writing.
func (l List) folder(r Right, here []string) message.Message {
	switch {
	case len(here) == 0 && r.Level == "rw":
		return message.New("rights.changes_no_folder", "root", r.Name)
	case len(here) == 0:
		return message.New("rights.reads_no_folder", "root", r.Name)
	case r.Level != "rw":
		return message.New("rights.reads_folders", "root", r.Name, "folders", here)
	}
	quota, _ := l.find(Right{Quota, "", r.Name})
	largest, _ := l.find(Right{MaxFile, "", r.Name})
	return message.New("rights.changes_folders", "root", r.Name, "folders", here, "quota", quota.measure(), "max_file", largest.measure())
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
