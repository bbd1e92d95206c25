package answers

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"errand/planner/message"
)

// formatLines returns a text of the payload, unchanged.
func (r result) formatLines() string {
	text := strings.TrimSpace(r.raw(r.tool.View.Key))
	if r.isCut() {
		text += "\n…"
	}
	return strings.TrimSpace(text)
}

// isCut reports whether the payload has only the beginning of a text.
func (r result) isCut() bool {
	cut, _ := r.payload()["cut"].(bool)
	truncated, _ := r.payload()["truncated"].(bool)
	return cut || truncated
}

// describeUnlessEmpty shows what the tool found. If it found nothing, that is an
// answer too.
func (r result) describeUnlessEmpty(show func() string) message.Message {
	if empty, ok := r.describeEmpty(); ok {
		return empty
	}
	return message.Verbatim(show())
}

// describeEmpty says that there is nothing of what the tool looked for. It is false if
// there is some, or if the payload is withheld.
func (r result) describeEmpty() (message.Message, bool) {
	cut, _ := r.payload()["cut"].(bool)
	switch found := r.payload()[r.tool.View.Key].(type) {
	case []any:
		if len(found) > 0 {
			return message.Message{}, false
		}
	case string:
		if strings.TrimSpace(found) != "" || cut {
			return message.Message{}, false
		}
	default:
		return message.Message{}, false
	}
	if r.step.Args["locator"] != nil && r.tool.EmptyPart {
		return r.tool.Say("empty_part"), true
	}
	if cut {
		return message.New("answer.cut"), true
	}
	for _, key := range []string{"filter", "text", "regex"} {
		if sought, _ := r.step.Args[key].(string); sought != "" && r.tool.NotFound {
			return r.tool.Say("not_found", "sought", sought), true
		}
	}
	return r.tool.Say("empty"), true
}

// formatList writes items one below the other: the text, then the URL.
func formatList(list any, label string) string {
	items, _ := list.([]any)
	width := len(strconv.Itoa(len(items)))
	var out []string
	for i, item := range items {
		m, _ := item.(map[string]any)
		text, _ := m[label].(string)
		url, _ := m["url"].(string)
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			text = url
		}
		out = append(out, fmt.Sprintf("%*d. %s", width, i+1, text))
		if url != "" && url != text {
			out = append(out, strings.Repeat(" ", width+2)+url)
		}
	}
	return strings.Join(out, "\n")
}

// formatTable writes each row on a line, its cells in the order of their names.
func formatTable(list any) string {
	rows, _ := list.([]any)
	var out []string
	for _, row := range rows {
		m, _ := row.(map[string]any)
		var cells []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if m[name] == nil {
				continue
			}
			if all, several := m[name].([]any); several {
				var texts []string
				for _, v := range all {
					texts = append(texts, fmt.Sprint(v))
				}
				cells = append(cells, strings.Join(texts, ", "))
				continue
			}
			cells = append(cells, strings.Join(strings.Fields(fmt.Sprint(m[name])), " "))
		}
		out = append(out, strings.Join(cells, " · "))
	}
	return strings.Join(out, "\n")
}

// describeFile says where a file is, how large, and whether it is another one than its
// name or the user says.
func (r result) describeFile() message.Message {
	size, _ := number(r.payload()["size"])
	taken := requestedName(r.step.Args, r.raw("path"))
	if taken == r.raw("name") {
		taken = ""
	}
	return message.New("answer.saved_file", "path", r.raw("path"), "size", size, "taken", taken, "web_page", r.isDisguisedPage())
}

// isDisguisedPage reports whether a file is a web page whose name says something else.
func (r result) isDisguisedPage() bool {
	switch strings.ToLower(filepath.Ext(r.raw("name"))) {
	case ".html", ".htm", ".xhtml":
		return false
	}
	return r.raw("media_type") == "text/html" || r.raw("media_type") == "application/xhtml+xml"
}

// requestedName is the file name that the call asked for; "": none.
func requestedName(args map[string]any, path string) string {
	if name, _ := args["name"].(string); name != "" {
		return name
	}
	wanted, _ := args["path"].(string)
	if wanted == "" || strings.HasSuffix(wanted, string(filepath.Separator)) || wanted == filepath.Dir(path) {
		return ""
	}
	return filepath.Base(wanted)
}

// errorStatus is the status of a page that is an error, else 0.
func (r result) errorStatus() int {
	if status, ok := number(r.payload()["status"]); ok && status >= 400 {
		return status
	}
	return 0
}

func number(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case float64:
		return int(n), true
	}
	return 0, false
}
