package desktop

import (
	"errand/app/desktop/view"
	"errand/host/trace"
)

// noticeOf says in the language of the goal how a run ended. What a page said is
// not in it: a notice is shown beside those of programs that are trusted.
func noticeOf(r view.Run) Notice {
	words := map[trace.Status][2]string{
		trace.Done:          {"Done", "Готово"},
		trace.Failed:        {"It didn't work", "Не получилось"},
		trace.Denied:        {"Not allowed", "Не разрешено"},
		trace.NeedsApproval: {"Waiting for your yes", "Ждёт вашего согласия"},
		trace.Interrupted:   {"Stopped", "Остановлено"},
	}[trace.Status(r.Status)]
	return noticeIn(r, words)
}

// waitNotice says that a page of a run waits for a person.
func waitNotice(r view.Run) Notice {
	return noticeIn(r, [2]string{"A page waits for you", "Страница ждёт вас"})
}

func noticeIn(r view.Run, words [2]string) Notice {
	title := words[0]
	if r.Plan.Language == "ru" {
		title = words[1]
	}
	return Notice{Title: title, Body: shortened(r.Text)}
}

// maxNotice bounds a notice's body, in characters.
const maxNotice = 120

func shortened(text string) string {
	if r := []rune(text); len(r) > maxNotice {
		return string(r[:maxNotice-1]) + "…"
	}
	return text
}
