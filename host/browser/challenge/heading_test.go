package challenge

import (
	"strings"
	"testing"
)

// TestTextOnlyChallenges checks that a page of text is a challenge only if its heading is the
// demand itself and it has no other content.
func TestTextOnlyChallenges(t *testing.T) {
	page := func(heading, text string) Snapshot {
		all := strings.TrimSpace(heading + " " + text)
		return Snapshot{URL: "https://a.example/", Title: "a.example", Headings: []string{heading}, Text: all, TextLen: len([]rune(all))}
	}
	with := func(l Snapshot, f func(*Snapshot)) Snapshot { f(&l); return l }
	tests := map[string]struct {
		l    Snapshot
		want Kind
	}{
		"a demand":                          {page("Verify you are human", ""), Captcha},
		"with what it is for":               {page("Please verify you are human to continue.", ""), Captcha},
		"a check":                           {page("Checking your browser…", "Please wait a few seconds."), Interstitial},
		"a question, and what hangs on it":  {page("Are you human?", "Enable JavaScript to continue."), Captcha},
		"in Russian":                        {page("Подтвердите, что вы не робот", "Чтобы продолжить, включите JavaScript."), Captcha},
		"a check in Russian":                {page("Проверка вашего браузера", "Подождите несколько секунд."), Interstitial},
		"in the title":                      {Snapshot{Title: "Just a moment", Text: "Please wait.", TextLen: 12}, Interstitial},
		"a question alone":                  {page("Are you human?", ""), ""},
		"a question and something else":     {page("Are you human?", "A poem in four parts."), ""},
		"a sentence about it":               {page("How to verify you are human", "Please wait a few seconds."), ""},
		"a demand with more":                {page("Verify you are human with our new service", "To continue, buy it."), ""},
		"a long page":                       {page("Verify you are human", "To continue. "+strings.Repeat("word ", 120)), ""},
		"many links":                        {with(page("Verify you are human", "to continue"), func(l *Snapshot) { l.Links = 9 }), ""},
		"an article":                        {with(page("Verify you are human", "to continue"), func(l *Snapshot) { l.Article = true }), ""},
		"a password":                        {with(page("Security check", "to continue"), func(l *Snapshot) { l.Controls = []Control{{"password", "Password"}} }), ""},
		"a title over a page with headings": {with(page("Tea", "Please wait."), func(l *Snapshot) { l.Title = "Just a moment" }), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, ok := Detect(tt.l)
			if ok != (tt.want != "") || f.Kind != tt.want {
				t.Errorf("Detect = %+v, %t, want %q", f, ok, tt.want)
			}
		})
	}
}

// TestDemandsArePlain checks that the phrases are in the normal form of compared texts. Otherwise
// they would never match.
func TestDemandsArePlain(t *testing.T) {
	var all []string
	for _, d := range headingPatterns {
		all = append(all, d.words)
	}
	for _, list := range [][]string{all, purposes, waitPhrases, blockPhrases} {
		for _, words := range list {
			if normalise(words) != words {
				t.Errorf("%q is %q in plain form", words, normalise(words))
			}
		}
	}
}
