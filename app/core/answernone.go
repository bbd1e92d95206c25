package core

import (
	"fmt"

	"errand/host/trace"
)

// none says that there is nothing of what a tool looked for, which is an answer
// too; "": there is some. A search names what it was for.
func none(russian bool, payload map[string]any, s trace.Step) string {
	n, known := nothings[s.ToolName]
	if !known {
		return ""
	}
	switch found := payload[n.key].(type) {
	case []any:
		if len(found) > 0 {
			return ""
		}
	case string:
	default:
		return ""
	}
	if s.ToolName == "browser.read_text" && s.Args["locator"] != nil {
		return pick(russian, "Текста в нём нет.", "There is no text in it.")
	}
	if cut, _ := payload["cut"].(bool); cut {
		return pick(russian, "На странице больше, чем читается; в прочитанном этого нет.", "There is more on the page than is read; it is not in what was.")
	}
	for _, key := range []string{"filter", "text", "regex"} {
		if sought, _ := s.Args[key].(string); sought != "" && n.ofEN != "" {
			return fmt.Sprintf(pick(russian, n.ofRU, n.ofEN), sought)
		}
	}
	return pick(russian, n.ru, n.en)
}

// nothings are the tools that list or read, where in the payload, and what is said
// where nothing is there: of anything, and of what was sought.
var nothings = map[string]struct{ key, en, ru, ofEN, ofRU string }{
	"browser.results":   {key: "results", en: "There are no results on the page.", ru: "На странице не нашлось результатов."},
	"browser.read_text": {key: "text", en: "There is no text on the page.", ru: "На странице нет текста."},
	"browser.snapshot":  {key: "snapshot", en: "There is nothing on the page.", ru: "На странице ничего нет."},
	"browser.extract":   {key: "rows", en: "There are no such rows on the page.", ru: "На странице нет таких строк."},
	"browser.tabs":      {key: "tabs", en: "No tabs are open.", ru: "Нет открытых вкладок."},
	"browser.links": {
		key: "links", en: "There are no links on the page.", ru: "На странице нет ссылок.",
		ofEN: "There are no links with “%s” on the page.", ofRU: "На странице нет ссылок с «%s».",
	},
	"browser.find": {
		key: "found", en: "It is not on the page.", ru: "На странице этого нет.",
		ofEN: "“%s” is not on the page.", ofRU: "На странице нет «%s».",
	},
}
