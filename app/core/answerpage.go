package core

import (
	"fmt"
	"strings"

	"errand/host/trace"
)

// onPage are tools whose payload says which page it was: that is no answer.
var onPage = map[string]bool{
	"browser.screenshot": true, "browser.pdf": true, "browser.read_text": true, "browser.links": true, "browser.results": true,
}

// told is what was read of a page: its words as they stand, or numbered rows with
// where each leads. "" where the step read none.
func told(language string, payload map[string]any, s trace.Step) string {
	switch s.ToolName {
	case "browser.read_text":
		text, _ := payload["text"].(string)
		if cut, _ := payload["cut"].(bool); cut {
			text += "\n…"
		}
		return strings.TrimSpace(text)
	case "browser.results":
		if rows, _ := payload["results"].([]any); rows != nil && len(rows) == 0 {
			if language == "ru" {
				return "На странице не нашлось результатов."
			}
			return "There are no results on the page."
		}
		return numbered(payload["results"], "title")
	case "browser.links":
		return numbered(payload["links"], "text")
	}
	return ""
}

// numbered writes rows one below the other: the words, then the address.
func numbered(list any, words string) string {
	rows, _ := list.([]any)
	var out []string
	for i, row := range rows {
		m, _ := row.(map[string]any)
		said, _ := m[words].(string)
		address, _ := m["url"].(string)
		if said = strings.Join(strings.Fields(said), " "); said == "" {
			said = address
		}
		out = append(out, fmt.Sprintf("%*d. %s", len(fmt.Sprint(len(rows))), i+1, said))
		if address != "" && address != said {
			out = append(out, strings.Repeat(" ", len(fmt.Sprint(len(rows)))+2)+address)
		}
	}
	return strings.Join(out, "\n")
}
