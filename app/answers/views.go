package answers

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// formatLines returns a text as it stands in the payload.
func (r result) formatLines() string {
	text := strings.TrimSpace(r.raw(r.tool.View.Key))
	if cut, _ := r.payload()["cut"].(bool); cut {
		text += "\n…"
	}
	if text = strings.TrimSpace(text); text == "" {
		return r.describeEmpty()
	}
	return text
}

func (r result) formatUnlessEmpty(show func() string) string {
	if text := r.describeEmpty(); text != "" {
		return text
	}
	return show()
}

// describeEmpty says that there is nothing of what the tool looked for, which is an answer
// too; "": there is some, or the payload is withheld.
func (r result) describeEmpty() string {
	switch found := r.payload()[r.tool.View.Key].(type) {
	case []any:
		if len(found) > 0 {
			return ""
		}
	case string:
	default:
		return ""
	}
	if r.step.Args["locator"] != nil && r.tool.EmptyPart != nil {
		return r.tool.EmptyPart.In(r.language)
	}
	if cut, _ := r.payload()["cut"].(bool); cut {
		return r.say("cut")
	}
	for _, key := range []string{"filter", "text", "regex"} {
		if sought, _ := r.step.Args[key].(string); sought != "" && r.tool.NotFound != nil {
			return fill(r.tool.NotFound, r.language, "sought", sought)
		}
	}
	return r.tool.Empty.In(r.language)
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
func (r result) describeFile() string {
	size, _ := number(r.payload()["size"])
	text := r.say("saved_size", "path", r.raw("path"), "size", formatBytes(r.language, size))
	if wanted := requestedName(r.step.Args, r.raw("path")); wanted != "" && wanted != r.raw("name") {
		text += r.say("name_taken", "name", wanted)
	}
	switch ext := strings.ToLower(filepath.Ext(r.raw("name"))); {
	case r.raw("media_type") != "text/html" && r.raw("media_type") != "application/xhtml+xml":
	case ext == ".html" || ext == ".htm" || ext == ".xhtml":
	default:
		text += r.say("web_page")
	}
	return text
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

func formatBytes(language string, n int) string {
	switch {
	case n >= 1_000_000:
		return say(language, "megabytes", "n", fmt.Sprintf("%.1f", float64(n)/1e6))
	case n >= 1000:
		return say(language, "kilobytes", "n", fmt.Sprintf("%.1f", float64(n)/1e3))
	case n == 1:
		return say(language, "byte")
	}
	return say(language, "bytes", "n", strconv.Itoa(n))
}

// formatStatus names the status of a page that is an error.
func (r result) formatStatus() string {
	if status, ok := number(r.payload()["status"]); ok && status >= 400 {
		return r.say("status", "status", strconv.Itoa(status))
	}
	return ""
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

// formatPhrase says the payload in the language's own words; "": it has none for it, and
// the payload's own text is better.
func (r result) formatPhrase() string {
	name := r.raw(r.tool.View.Key)
	phrase, ok := r.tool.View.Phrases[name][r.language]
	value := r.raw(name)
	if !ok || value == "" {
		return ""
	}
	for key, layout := range map[string]string{"time": time.RFC3339, "date": time.DateOnly} {
		if name != key {
			continue
		}
		at, err := time.Parse(layout, value)
		if err != nil {
			return ""
		}
		value = formatTime(r.language, at, key)
	}
	return fill(map[string]string{r.language: phrase}, r.language, name, value)
}

// formatTime writes a time as the text of a key in a language has it.
func formatTime(language string, at time.Time, key string) string {
	text := at.Format(say(language, key))
	if months := strings.Fields(texts()["months"][language]); len(months) == 12 {
		text = strings.Replace(text, at.Month().String(), months[at.Month()-1], 1)
	}
	return text
}
