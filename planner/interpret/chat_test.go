package interpret

import (
	"testing"

	"errand/app/i18n"
	"errand/planner/interpret/chat"
)

// TestChat: who greets, thanks or asks for help gets an answer in words, in the own language.
func TestChat(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string]string{
		"hello": "reason.greeting", "hi jarvis!": "reason.greeting", "how are you?": "reason.greeting", "привет": "reason.greeting", "как дела?": "reason.greeting",
		"thanks": "reason.thanks", "thank you very much": "reason.thanks", "спасибо большое": "reason.thanks",
		"help": "reason.help", "what can you do?": "reason.help", "hello, what can you do": "reason.help", "what commands can you follow": "reason.help",
		"undo": "reason.ask_undo", "Undo that, please": "reason.ask_undo", "can you undo the last run?": "reason.ask_undo", "bring it back": "reason.ask_undo",
		"restore what you deleted": "reason.ask_undo", "revert the changes": "reason.ask_undo", "отмени": "reason.ask_undo", "отмени последнее": "reason.ask_undo",
		"верни все как было": "reason.ask_undo", "верни всё как было": "reason.ask_undo", "отмени последнее действие, пожалуйста": "reason.ask_undo", "восстанови то, что ты удалил": "reason.ask_undo",
		"what did you do": "reason.ask_history", "What have you done today?": "reason.ask_history", "show history": "reason.ask_history", "show me my last runs": "reason.ask_history",
		"history": "reason.ask_history", "что ты сделал": "reason.ask_history", "Что ты только что сделал?": "reason.ask_history", "покажи историю": "reason.ask_history", "покажи мне последние запуски": "reason.ask_history",
		"approve it": "reason.ask_drafts", "show my drafts": "reason.ask_drafts", "what is waiting for me": "reason.ask_drafts", "подтверди": "reason.ask_drafts", "покажи черновики": "reason.ask_drafts", "чего ты ждёшь?": "reason.ask_drafts",
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
	for _, text := range []string{
		"hello world", "help me open youtube", "thanks for opening youtube", "спасибо ютуб", "open help",
		"search history", "open youtube, undo that", "find history of rome", "undo youtube", "what did you do to my file", "найди историю", "открой ютуб, отмени", "покажи историю рима", "что ты сделал с папкой",
	} {
		if r := in.Read(text); chat.IsAnswer(r.Reason.Code) {
			t.Errorf("Read(%q) answers %s", text, r.Reason)
		}
	}
}
