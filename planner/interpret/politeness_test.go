package interpret

import (
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
)

// TestPoliteEnds adds politeness after a command.
func TestPoliteEnds(t *testing.T) {
	in := newInterpreter(t)
	ends := map[string][]string{"en": {" please", ", please", " for me", ", thanks", " thank you!", " if you don't mind"}, "ru": {" пожалуйста", ", спасибо", ", если не сложно"}}
	for _, text := range acting(t, in) {
		if last := text[strings.LastIndex(text, " ")+1:]; last == "please" || last == "пожалуйста" || strings.HasSuffix(text, "thank you") || strings.HasSuffix(text, "for me") {
			continue // said twice it may be a song: "please please please"
		}
		for _, end := range ends[in.Read(text).Language] {
			same(t, in, text, strings.TrimRight(text, " .!?")+end, false)
		}
	}
}

// TestReadsAtOnce is for the race detector: readings share nothing but the
// words, which the first of them reads.
func TestReadsAtOnce(t *testing.T) {
	cat, err := catalogue.New(nil, nil)
	must.Succeed(t, err)
	in, err := New(cat, Options{})
	must.Succeed(t, err)
	alone := newInterpreter(t)
	var wg sync.WaitGroup
	for _, text := range []string{"open youtube and search nvidia", "открой ютуб", "open yotube", "delete all files"} {
		want := alone.Read(text).Status
		for range 4 {
			wg.Go(func() {
				for range 50 {
					if got := in.Read(text).Status; got != want {
						t.Errorf("Read(%q) = %s, want %s", text, got, want)
					}
				}
			})
		}
	}
	wg.Wait()
}

// TestForbiddenCommands forbids every command of the stock that is one
// clause.
func TestForbiddenCommands(t *testing.T) {
	in := newInterpreter(t)
	negators := map[string][]string{"en": {"don't ", "please do not ", "never "}, "ru": {"не надо ", "пожалуйста, не нужно "}}
	for _, text := range acting(t, in) {
		if p := newParser(in.Parse(text)); len(p.splitPieces()) > 1 || !commanding(in, text) {
			continue
		}
		for _, not := range negators[in.Read(text).Language] {
			if r := in.Read(not + text); r.Status == OK {
				t.Errorf("Read(%q) acts: %+v", not+text, finish(in, r))
			}
		}
	}
}
