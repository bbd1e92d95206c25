package interpret

import "strings"

// Questions whether to do something, which are no command to do it.

// sure asks whether a clause was meant as a command to do what is said. The
// answer belongs to token i.
func (p *commandReader) sure(c *clause, i int, said string) {
	if c.outcome == good && !p.told(i).sure {
		c.outcome, c.ask = asks, question{key: "ask_typo", arg: said, at: span{i, i + 1}, choices: p.yesOrNo(c.lang)}
		c.drafts = nil
	}
}

// maxSentence is how many words of a sentence are looked at for its end.
const maxSentence = 64

// wonders finds a sentence that begins with a verb in the infinitive and ends in
// a question mark: «Сделать скриншот гитхаба?» asks whether one should, as "should
// I …?" does. With "can you" or "one may" before it the verb is not the first.
func (p *commandReader) wonders(verb span) (from, to int) {
	if verb.hi <= verb.lo || verb.lo > 0 && !p.ends(verb.lo-1) || !p.infinitive(verb) {
		return 0, 0
	}
	for i := verb.hi; i < min(len(p.toks), verb.lo+maxSentence); i++ {
		if p.ends(i) {
			if p.fold(i) == "?" {
				return verb.lo, i
			}
			return 0, 0
		}
	}
	return 0, 0
}

// ends reports whether a sentence ends at token i.
func (p *commandReader) ends(i int) bool {
	if p.toks[i].shape != mark {
		return false
	}
	switch p.fold(i) {
	case "?", ".", "!", "…", "\n":
		return true
	}
	return false
}

// infinitive reports whether the first word of a verb is in the infinitive, by the
// endings of its language.
func (p *commandReader) infinitive(verb span) bool {
	packs := p.words.packs
	for n := range packs {
		for _, end := range packs[n].Infinitive {
			if strings.HasSuffix(p.fold(verb.lo), end) {
				return true
			}
		}
	}
	return false
}
