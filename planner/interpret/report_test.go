package interpret

import (
	"slices"
	"strings"
	"testing"

	"errand/build/tier"
	"errand/planner/interpret/lexicon"
)

// TestReportedCommands puts the commands of the stock into sentences that
// command nothing: conditions, reports, questions, and what is cancelled
// at once, and into those that command it for later. Only commands without punctuation are told: a comma or a full
// stop may end the sentence that they stand in.
func TestReportedCommands(t *testing.T) {
	in := newInterpreter(t)
	frames := map[string][]string{
		"en": {
			"if it rains %s", "if it rains, %s", "when i get home, %s",
			"he said %s", "she told me to %s", "the page says: %s", "how do i %s", "what happens if i %s", "should i %s",
			"explain how to %s", "let bob %s", "i don't want to %s", "nobody should %s", "you must not %s", "never %s",
			"%s, never mind", "%s, actually no", "%s. cancel.",
		},
		"ru": {
			"если пойдёт дождь, %s", "когда приду, %s", "он сказал %s",
			"в письме написано: %s", "что будет если %s", "не надо %s", "ни в коем случае не %s", "пусть вася %s", "%s, отмена", "%s. хотя нет",
		},
	}
	later := map[string][]string{
		"en": {"tomorrow %s", "every morning %s", "in ten minutes %s"},
		"ru": {"завтра %s", "через час %s", "каждый день %s"},
	}
	told := 0
	for _, text := range acting(t, in) {
		p := in.Parse(text)
		marked := slices.ContainsFunc(p.Tokens, func(t lexicon.Token) bool { return t.Shape == lexicon.MarkShape || t.Shape == lexicon.SymbolShape })
		for i := range p.Tokens {
			_, repaired := p.Longest(i, len(p.Tokens), lexicon.Repair)
			marked = marked || repaired
		}
		if _, wrapped := p.Longest(0, len(p.Tokens), lexicon.Lead, lexicon.LeadGerund, lexicon.Ask, lexicon.InsteadOf); marked || wrapped || !commanding(in, text) {
			continue
		}
		for _, frame := range frames[in.Read(text).Language] {
			told++
			if r := in.Read(strings.Replace(frame, "%s", text, 1)); r.Status == OK {
				t.Errorf("Read(%q) acts: %+v", r.Text, finish(in, r))
			}
		}
		for _, frame := range later[in.Read(text).Language] {
			told++
			if r := in.Read(strings.Replace(frame, "%s", text, 1)); r.Status == OK && (len(r.Goals.Goals) != 1 || !r.Goals.Goals[0].ControlsTimer()) {
				t.Errorf("Read(%q) acts at once: %+v", r.Text, finish(in, r))
			}
		}
	}
	if told < tier.Size(3_000, 10_000) {
		t.Errorf("only %d sentences", told)
	}
}
