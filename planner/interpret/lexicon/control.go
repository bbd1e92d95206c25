package lexicon

import "strings"

// What a command of [Templates.Controls] takes. Its key has one of these as the value, and its
// templates end where the words for it begin. In a template it stands before the words that end
// the command: "copy {text} to the clipboard".
const (
	TakesApp    = "{app}"  // the name of an app
	TakesNumber = "{n}"    // a number, with or without "percent"; "+{n}" and "-{n}" change something by it
	TakesText   = "{text}" // any words
)

// SplitControl cuts a key of [Templates.Controls] into the action, the object and the value of its
// goal: "set volume +10".
func SplitControl(key string) (action, object, value string) {
	action, rest, _ := strings.Cut(key, " ")
	object, value, _ = strings.Cut(rest, " ")
	return action, object, value
}

// splitControls cuts the templates of a command that has words after what it takes. whole are the
// others.
func splitControls(templates []string) (whole, before, after []string) {
	for _, t := range templates {
		if head, tail, ok := strings.Cut(t, TakesText); ok {
			before, after = append(before, strings.TrimSpace(head)), append(after, strings.TrimSpace(tail))
		} else {
			whole = append(whole, t)
		}
	}
	return whole, before, after
}

// splitReworded cuts the templates of a command in other words: whole commands, beginnings with nothing
// after what they take, beginnings with an end, and these ends.
func splitReworded(templates []string) (parts [4][]string) {
	for _, t := range templates {
		head, tail, open := strings.Cut(t, "…")
		head, tail = strings.TrimSpace(head), strings.TrimSpace(tail)
		switch {
		case !open:
			parts[0] = append(parts[0], head)
		case tail == "":
			parts[1] = append(parts[1], head)
		default:
			parts[2], parts[3] = append(parts[2], head), append(parts[3], tail)
		}
	}
	return parts
}
