package interpret

import "errand/planner/interpret/lexicon"

// chatReasons are the answers to texts that command nothing, the most important first.
var chatReasons = []struct {
	kind   lexicon.Kind
	reason string
}{{lexicon.Help, "reason.help"}, {lexicon.Thanks, "reason.thanks"}, {lexicon.Greeting, "reason.greeting"}}

// findChat returns the answer to a text that only greets, thanks or asks for help, or "".
func (p *parser) findChat() string {
	said := map[lexicon.Kind]bool{}
	for i := p.SkipMarks(0, len(p.Tokens)); i < len(p.Tokens); i = p.SkipMarks(i, len(p.Tokens)) {
		m, ok := p.Longest(i, len(p.Tokens), lexicon.Help, lexicon.Thanks, lexicon.Greeting, lexicon.Wake)
		if !ok {
			return ""
		}
		said[m.Kind] = true
		i += m.Len
	}
	for _, c := range chatReasons {
		if said[c.kind] {
			return c.reason
		}
	}
	return ""
}
