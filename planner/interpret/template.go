package interpret

import (
	"fmt"
	"strings"
)

// maxForms bounds what one template may expand to, so that a language file
// with a careless template is an error rather than a wait.
const maxForms = 4096

// expandTemplate lists the phrases that a template stands for: "[the] file"
// is "file" and "the file", "(make|create) it" is "make it" and "create it".
// Brackets nest.
func expandTemplate(template string) ([]string, error) {
	e := expander{rest: template}
	out, err := e.choice()
	switch {
	case err != nil:
		return nil, fmt.Errorf("template %q: %w", template, err)
	case e.rest != "":
		return nil, fmt.Errorf("template %q: unmatched %q", template, e.rest[:1])
	}
	for i := range out {
		out[i] = strings.Join(strings.Fields(out[i]), " ")
	}
	return out, nil
}

type expander struct{ rest string }

// choice reads sequences parted by "|" up to a closing bracket or the end.
func (e *expander) choice() ([]string, error) {
	var out []string
	for {
		s, err := e.sequence()
		if err != nil {
			return nil, err
		}
		if out = append(out, s...); len(out) > maxForms {
			return nil, fmt.Errorf("more than %d forms", maxForms)
		}
		if !strings.HasPrefix(e.rest, "|") {
			return out, nil
		}
		e.rest = e.rest[1:]
	}
}

func (e *expander) sequence() ([]string, error) {
	out := []string{""}
	for e.rest != "" {
		var options []string
		switch c := e.rest[0]; c {
		case '|', ')', ']':
			return out, nil
		case '(', '[':
			e.rest = e.rest[1:]
			inner, err := e.choice()
			if err != nil {
				return nil, err
			}
			closing := map[byte]string{'(': ")", '[': "]"}[c]
			if !strings.HasPrefix(e.rest, closing) {
				return nil, fmt.Errorf("missing %q", closing)
			}
			e.rest = e.rest[1:]
			if options = inner; c == '[' {
				options = append([]string{""}, inner...)
			}
		default:
			n := strings.IndexAny(e.rest, "|()[]")
			if n < 0 {
				n = len(e.rest)
			}
			options = []string{e.rest[:n]}
			e.rest = e.rest[n:]
		}
		if len(out)*len(options) > maxForms {
			return nil, fmt.Errorf("more than %d forms", maxForms)
		}
		var next []string
		for _, head := range out {
			for _, o := range options {
				next = append(next, head+o)
			}
		}
		out = next
	}
	return out, nil
}
