package interpret

import (
	"testing"

	"errand/app/i18n"
)

// TestChat: who greets, thanks or asks for help gets an answer in words, in the own language.
func TestChat(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string]string{
		"hello": "reason.greeting", "hi jarvis!": "reason.greeting", "how are you?": "reason.greeting", "привет": "reason.greeting", "как дела?": "reason.greeting",
		"thanks": "reason.thanks", "thank you very much": "reason.thanks", "спасибо большое": "reason.thanks",
		"help": "reason.help", "what can you do?": "reason.help", "hello, what can you do": "reason.help", "what commands can you follow": "reason.help",
		"помощь": "reason.help", "что ты умеешь?": "reason.help", "привет, что ты умеешь": "reason.help",
	} {
		r := in.Read(text)
		if r.Status != Unsupported || r.Reason.Code != want {
			t.Errorf("Read(%q) = %s, %s, want %s", text, r.Status, r.Reason, want)
		}
		if said := i18n.ForTag(r.Language).Text(r.Reason); said == "" || said == want {
			t.Errorf("Read(%q) answers %q", text, said)
		}
	}
	for _, text := range []string{"hello world", "help me open youtube", "thanks for opening youtube", "спасибо ютуб", "open help"} {
		if r := in.Read(text); r.Reason.Code == "reason.help" || r.Reason.Code == "reason.thanks" || r.Reason.Code == "reason.greeting" {
			t.Errorf("Read(%q) answers %s", text, r.Reason)
		}
	}
}
