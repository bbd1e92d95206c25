package recipe

import (
	"fmt"
	"strings"

	"errand/planner/message"
)

// isAddress reports whether a text begins like the address of a page, as browsers and policy read it:
// after spaces and control characters, and in upper or lower case.
func isAddress(text string) bool {
	text = strings.ToLower(strings.TrimLeftFunc(text, func(r rune) bool { return r <= ' ' }))
	return strings.HasPrefix(text, "http:") || strings.HasPrefix(text, "https:")
}

// dotSegments adds a problem for each address whose path gets a part "." or ".." from values,
// because that part would replace another one.
func (f *problemList) dotSegments(r *Recipe, values map[string]any) {
	for i, s := range r.Steps {
		walk(fmt.Sprintf("step[%d].args", i), s.Args, func(at, text string) {
			all := parts(text)
			if !isAddress(text) || len(all) < 2 {
				return
			}
			var bare strings.Builder // the address without the values
			for _, p := range all {
				bare.WriteString(p.text)
				if p.param != "" {
					bare.WriteString("x")
				}
			}
			filled, _ := fillIn(text, values).(string)
			if countDots(filled) > countDots(bare.String()) {
				f.addAt(at, message.New("recipes.value_in_path", "address", filled))
			}
		})
	}
}

// countDots counts the parts of an address's path that are "." or "..", also percent-encoded.
func countDots(address string) int {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	n := 0
	for _, part := range strings.FieldsFunc(address, func(r rune) bool { return r == '/' || r == '\\' }) {
		switch strings.ReplaceAll(strings.ToLower(part), "%2e", ".") {
		case ".", "..":
			n++
		}
	}
	return n
}
