package desktop

import (
	"errand/app/desktop/view"
	"errand/planner/message"
)

// describeEnd describes how a run ended. It contains no text of pages, because desktops show
// it among notifications of trusted programs.
func describeEnd(r view.Run) message.Message { return message.New("window.status." + r.Status) }

// maxNotice limits a notice's body, in characters.
const maxNotice = 120

func shorten(text string) string {
	if r := []rune(text); len(r) > maxNotice {
		return string(r[:maxNotice-1]) + "…"
	}
	return text
}
