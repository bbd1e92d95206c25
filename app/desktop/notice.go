package desktop

import (
	"errand/app/desktop/view"
	"errand/planner/message"
)

// endOf says how a run ended. What a page said is not in it: a notice is shown
// beside those of programs that are trusted.
func endOf(r view.Run) message.Message { return message.New("window.status." + r.Status) }

// maxNotice bounds a notice's body, in characters.
const maxNotice = 120

func shorten(text string) string {
	if r := []rune(text); len(r) > maxNotice {
		return string(r[:maxNotice-1]) + "…"
	}
	return text
}
