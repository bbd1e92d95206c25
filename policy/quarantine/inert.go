package quarantine

import (
	"strings"

	"errand/policy/rulefile"
)

// inertForms are applied in order. Brackets become ones that no parser of
// roles, calls or Markdown knows.
var inertForms = []struct {
	pattern *rulefile.Pattern
	with    string
}{
	{rulefile.New(`(?s)<!--(.*?)-->`), "‹hidden comment›"},
	{rulefile.New(`<([|｜][^<>\n]{0,60}[|｜])>`), "‹$1›"},
	{rulefile.New(`<<(/?SYS)>>`), "‹‹$1››"},
	{rulefile.New(`\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS))\]`), "‹$1›"},
	{rulefile.New(`(?i)<(/?(?:antml:)?(?:function\w*|invoke|parameter|tool\w*|use_mcp_tool|execute\w*|run_\w+|system\w*|assistant|human|user\w*|developer|admin\w*|instructions?|document\w*|context|observation|result\w*|untrusted\w*|search_results?|page_content|web_?page\w*|(?:start|end)_of_turn|s)\b[^<>]{0,300})>`), "‹$1›"},
	{rulefile.New(`(?m)^(\s*)(Human|User|Assistant|System|SYSTEM|USER|ASSISTANT|HUMAN|AI|Developer|Action|Action Input|Observation|Thought)(\s*):`), "$1($2)$3"},
	{rulefile.New(`(?m)^(\s*)###(\s*(?:Instruction|Response|System|Human|Assistant|User))`), "$1$2"},
	{rulefile.New(`!?\[([^\]\n]{0,200})\]\(\s*<?(?:https?:)?//([^/)\s?#]+)[^)\n]*\)`), "$1 ‹link to $2 removed›"},
	{rulefile.New(`(?i)<(img|iframe|script|link|object|embed|form|meta|svg|base)\b[^<>]{0,900}>`), "‹$1 removed›"},
	{rulefile.New(`\bto=(functions?|tools?|browser|python|shell|bash|container|system)\b`), "to ($1)"},
}

// inert rewrites what gives an injection its power into something that a
// person can still read.
func inert(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case 0x200C, 0x200D, 0xFE0E, 0xFE0F, 0xAD, 0x200E, 0x200F:
			return r // they shape Persian, emoji and Arabic; the others hide
		}
		if invisible(r) {
			return -1
		}
		return r
	}, text)
	for _, f := range inertForms {
		text = f.pattern.Get().ReplaceAllString(text, f.with)
	}
	return text
}
