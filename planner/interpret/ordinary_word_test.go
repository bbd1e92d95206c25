package interpret

import (
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/tier"
)

// TestOrdinaryWordsAreNoNames: a word of a dictionary that resembles a site, an app or a verb
// is asked about and never corrected.
func TestOrdinaryWordsAreNoNames(t *testing.T) {
	in := newInterpreter(t)
	frames := map[string][]string{
		"en": {"open %s", "launch %s", "go to %s", "%s notes.txt", "on %s find cats", "search %s for cats"},
		"ru": {"открой %s", "запусти %s", "зайди на %s", "%s файл a.txt", "на %s найди котов"},
	}
	for language, frames := range frames {
		b := must.ReadFile(t, "lexicon/spelling/"+language+".txt")
		words := 0
		for word := range strings.Lines(string(b)) {
			if word = strings.TrimSpace(word); strings.HasPrefix(word, "#") {
				continue
			}
			if words++; words%tier.Size(10, 1) != 0 {
				continue
			}
			for _, frame := range frames {
				text := strings.Replace(frame, "%s", word, 1)
				for _, e := range in.Read(text).Evidence {
					if e.Corrected {
						t.Errorf("Read(%q) corrects %q", text, e.Words)
					}
				}
			}
		}
		if words < 100 {
			t.Errorf("%s: only %d words", language, words)
		}
	}
	for _, text := range []string{"open video", "открой справа", "open verse", "launch webcams", "открой парку"} {
		if r := in.Read(text); r.Status != Ambiguous {
			t.Errorf("Read(%q) = %s, want a question", text, r.Status)
		}
	}
}

// TestMisspelledNames: a word of no dictionary is still corrected.
func TestMisspelledNames(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string]string{
		"open youtbue": "n:https://youtube.com/", "launch notepaad": "a:notepad", "go to wikipdia": "n:https://wikipedia.org/",
		"открой ютубб": "n:https://youtube.com/", "запусти калькулятр": "a:calculator", "crete a folder called x": "c:folder:x",
	} {
		if got := shortOf(in, text); got != want {
			t.Errorf("Read(%q) = %s, want %s", text, got, want)
		}
	}
}

// shortOf reads a text and spells the outcome in the notation of own_en.txt.
func shortOf(in *Interpreter, text string) string {
	r := in.Read(text)
	return short(r, finish(in, r))
}
