package core

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/trace"
)

// acts are tools after which the page may be another one.
var acts = map[string]bool{
	"browser.click": true, "browser.submit": true, "browser.press": true,
	"browser.back": true, "browser.forward": true, "browser.reload": true, "browser.tab_switch": true,
}

// lastOnly reports whether a tool is told of where it is the last step alone: where a
// page led to, or an outline, which is for the steps that follow it.
func lastOnly(name string) bool { return acts[name] || name == "browser.snapshot" }

// opens are tools that bring a page about.
var opens = map[string]bool{"browser.open": true, "browser.search": true, "browser.tab_new": true}

// tells reports whether a tool answers about a page, or makes something of it.
func tells(name string) bool {
	return strings.HasPrefix(name, "browser.") && !opens[name] && !acts[name]
}

// quiet reports whether a payload that says which page it was is no answer.
func quiet(name string) bool { return tells(name) }

// told is what was read of a page: its words as they stand, or numbered rows with
// where each leads. "" where the step read none.
func told(language string, payload map[string]any, s trace.Step) string {
	switch s.ToolName {
	case "browser.read_text", "browser.snapshot":
		text, _ := payload[nothings[s.ToolName].key].(string)
		if cut, _ := payload["cut"].(bool); cut {
			text = strings.TrimSpace(text) + "\n…"
		}
		if text = strings.TrimSpace(text); text == "" {
			return none(language == "ru", payload, s)
		}
		return text
	case "browser.results":
		return cmp.Or(none(language == "ru", payload, s), numbered(payload["results"], "title"))
	case "browser.screenshot", "browser.pdf":
		if len(s.Artifacts) == 0 || s.Artifacts[0].Path == "" {
			return ""
		}
		en, ru := "Picture: %s", "Снимок: %s"
		if s.ToolName == "browser.pdf" {
			en, ru = "Document: %s", "Документ: %s"
		}
		return fmt.Sprintf(pick(language == "ru", ru, en), s.Artifacts[0].Path)
	case "browser.download":
		return saved(language == "ru", payload, s)
	case "browser.extract":
		return cmp.Or(none(language == "ru", payload, s), table(payload["rows"]))
	case "browser.links":
		return cmp.Or(none(language == "ru", payload, s), numbered(payload["links"], "text"))
	case "browser.find":
		return cmp.Or(none(language == "ru", payload, s), numbered(payload["found"], "text"))
	case "browser.tabs":
		return cmp.Or(none(language == "ru", payload, s), numbered(payload["tabs"], "title"))
	}
	return ""
}

// saved says where a file is, how large, and whether it is another one than its
// name or the one who asked says.
func saved(russian bool, payload map[string]any, s trace.Step) string {
	text := func(key string) string { v, _ := payload[key].(string); return v }
	size, _ := number(payload["size"])
	said := fmt.Sprintf(pick(russian, "Сохранено: %s, %s", "Saved %s, %s"), text("path"), bytesIn(russian, size))
	if wanted := wantedName(s.Args, text("path")); wanted != "" && wanted != text("name") {
		said += fmt.Sprintf(pick(russian, "; имя %s было занято", "; there was a %s already"), wanted)
	}
	switch ext := strings.ToLower(filepath.Ext(text("name"))); {
	case text("media_type") != "text/html" && text("media_type") != "application/xhtml+xml":
	case ext == ".html" || ext == ".htm" || ext == ".xhtml":
	default:
		said += pick(russian, "; это веб-страница, что бы ни говорило имя", "; it is a web page, whatever its name says")
	}
	return said
}

// wantedName is the file name that a download was asked to have; "": none.
func wantedName(args map[string]any, at string) string {
	if name, _ := args["name"].(string); name != "" {
		return name
	}
	path, _ := args["path"].(string)
	if path == "" || strings.HasSuffix(path, string(filepath.Separator)) || path == filepath.Dir(at) {
		return ""
	}
	return filepath.Base(path)
}

// bytesIn is a size for people.
func bytesIn(russian bool, n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf(pick(russian, "%.1f МБ", "%.1f MB"), float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf(pick(russian, "%.1f КБ", "%.1f kB"), float64(n)/1e3)
	case n == 1:
		return pick(russian, "1 байт", "1 byte")
	}
	return fmt.Sprintf(pick(russian, "%d байт", "%d bytes"), n)
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

// table writes what was read of each row on a line, in the order of the names.
func table(list any) string {
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
				var said []string
				for _, v := range all {
					said = append(said, fmt.Sprint(v))
				}
				cells = append(cells, strings.Join(said, ", "))
				continue
			}
			cells = append(cells, strings.Join(strings.Fields(fmt.Sprint(m[name])), " "))
		}
		out = append(out, strings.Join(cells, " · "))
	}
	return strings.Join(out, "\n")
}
