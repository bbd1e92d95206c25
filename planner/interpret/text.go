package interpret

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// newText cuts a text into tokens and finds the phrases. Politeness after a
// pause at the very end ("…, please") belongs to nothing, not even to free
// text, and is dropped at once.
func newText(words *vocabulary, platform, text string) *Text {
	p := &Text{words: words, platform: platform, source: text, toks: tokenize(text)}
	p.marks = words.find(p.toks)
	dropAsides(p)
	p.language = p.detectLanguage()
	for {
		end := len(p.toks)
		for end > 0 && p.toks[end-1].shape == mark {
			end--
		}
		m, ok := p.ending(0, end, kTail)
		start := end - m.n
		if !ok || start < 2 || p.toks[start-1].shape != mark || p.polite(0, start) {
			return p
		}
		p.toks, p.marks = p.toks[:start], p.marks[:start]
	}
}

// detectLanguage decides by script, and between languages of one script by the
// phrases that they know; the verb that was understood overrules it.
func (p *Text) detectLanguage() string {
	latin, cyrillic := letters(p)
	best, most := "", -1
	for n, k := range p.words.packs {
		if k.Cyrillic == (cyrillic > latin) && latin+cyrillic > 0 {
			if known := p.knownTo(uint8(n)); known > most {
				best, most = k.Language, known
			}
		}
	}
	return best
}

// letters counts those of each script. Where both occur the first word that names
// no site or app decides, since a command begins with its verb: «скачай the lord of
// the rings» is Russian.
func letters(p *Text) (latin, cyrillic int) {
	for _, r := range p.source {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		}
	}
	for i := 0; i < len(p.toks) && latin > 0 && cyrillic > 0; i++ {
		first, _ := utf8.DecodeRuneInString(p.fold(i))
		if _, name := p.longest(i, len(p.toks), kSite, kApp); name || p.toks[i].shape != word || !unicode.IsLetter(first) {
			continue
		}
		if unicode.Is(unicode.Cyrillic, first) {
			return 0, cyrillic
		}
		return latin, 0
	}
	return latin, cyrillic
}

// knownTo counts the words at which a phrase of a language begins.
func (p *Text) knownTo(lang uint8) int {
	n := 0
	for _, marks := range p.marks {
		if slices.ContainsFunc(marks, func(m match) bool { return m.lang == lang }) {
			n++
		}
	}
	return n
}

// parse reads another text with the same words.
func (p *Text) parse(text string) *Text { return newText(p.words, p.platform, text) }
