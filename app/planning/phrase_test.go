package planning_test

import (
	"errors"
	"testing"
	"time"

	"errand/app/config"
	"errand/app/planning"
	"errand/app/secrets"
	"errand/build/must"
	"errand/host/store"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/phrase"
	"errand/planner/plan"
)

// TestPhraseOrigin: only words that the user typed are read by a phrase, and plugins are
// looked at only for words that Errand does not read itself.
func TestPhraseOrigin(t *testing.T) {
	pieces, err := phrase.Parse("shout {text}")
	must.Succeed(t, err)
	asked := 0
	p, err := planning.New(planning.Options{
		Config: &config.Loaded{Config: config.Config{}, Catalogue: catalogue.Default()}, Now: time.Now, Vault: secrets.NewVault(true, nil), Store: func() (store.Store, error) { return nil, errors.New("no record") },
		Phrases: planning.Phrases{All: func() []phrase.Phrase {
			asked++
			return []phrase.Phrase{{Plugin: "loud", Tool: "loud.upper", Text: "shout {text}", Pieces: pieces, Kinds: map[string]phrase.Kind{"text": phrase.Text}}}
		}},
	})
	must.Succeed(t, err)
	for _, tt := range []struct {
		name  string
		r     planning.Request
		reads bool
		asks  int
	}{
		{"the user", planning.Request{Text: "shout hello"}, true, 1},
		{"the user, by origin", planning.Request{Text: "shout hello", Origin: plan.UserGoal}, true, 1},
		{"an agent", planning.Request{Text: "shout hello", Origin: plan.Agent}, false, 0},
		{"an upload", planning.Request{Text: "shout hello", Origin: plan.Upload}, false, 0},
		{"a transcript", planning.Request{Voice: &plan.Voice{FileID: "f", Transcript: "shout hello", Confidence: 1}}, false, 0},
		{"a command of Errand", planning.Request{Text: "open youtube"}, false, 0},
		{"a part of one", planning.Request{Text: "shout hello and open youtube"}, false, 0},
		{"a verb of Errand", planning.Request{Text: "open"}, false, 0},
	} {
		asked = 0
		in, _ := p.Understand(tt.r)
		if (in.Call != nil) != tt.reads || asked != tt.asks || tt.reads && (in.Suggestions != nil || in.Status != interpret.OK || in.Call.Args["text"] != "hello") {
			t.Errorf("%s: %s, call %+v, asked %d times", tt.name, in.Status, in.Call, asked)
		}
	}
}

// TestPhraseSecrets: words that look like a secret reach no plugin.
func TestPhraseSecrets(t *testing.T) {
	declare := func(plugin, text string) phrase.Phrase {
		pieces, err := phrase.Parse(text)
		must.Succeed(t, err)
		return phrase.Phrase{Plugin: plugin, Tool: plugin + ".x", Text: text, Pieces: pieces, Kinds: map[string]phrase.Kind{"text": phrase.Text, "to": phrase.Text, "n": phrase.Number}}
	}
	p, err := planning.New(planning.Options{
		Config: &config.Loaded{Config: config.Config{}, Catalogue: catalogue.Default()}, Now: time.Now, Vault: secrets.NewVault(true, nil), Store: func() (store.Store, error) { return nil, errors.New("no record") },
		Phrases: planning.Phrases{All: func() []phrase.Phrase {
			return []phrase.Phrase{
				declare("loud", "shout {text}"), declare("noisy", "shout {text}"), declare("keeper", "my password {text}"),
				declare("pay", "charge {n}"), declare("chat", "whisper {text} to {to}"),
			}
		}},
	})
	must.Succeed(t, err)
	for _, tt := range []struct{ text, reason string }{
		{"my password is hunter2Xq9", "reason.secret_in_phrase"},
		{"shout my password is hunter2Xq9", "reason.secret_in_phrase"},
		{"shout sk-proj-Ab3dEf6hIj9kLmNo2pQr5tUv8xYz1234567890abcdefABCD", "reason.secret_in_phrase"},
		{"shout 4111 1111 1111 1111", "reason.secret_in_phrase"},
		{"whisper the api key hunter2Xq9Zz to Ann", "reason.secret_in_phrase"},
		{"whisper good night to Ann", ""},
		{"charge 12", ""},
	} {
		in, _ := p.Understand(planning.Request{Text: tt.text})
		if in.Reason.Code != tt.reason || (in.Call != nil) != (tt.reason == "") {
			t.Errorf("%q: %s, call %+v; want %q", tt.text, in.Reason.Code, in.Call, tt.reason)
		}
	}
}
