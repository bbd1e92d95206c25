package planning

import (
	"strings"
	"testing"

	"errand/planner/interpret"
)

// TestFileReferences plans goals about a file that an earlier goal of the same words makes.
func TestFileReferences(t *testing.T) {
	home := newHome(t, "Documents/Work/draft.txt", "Downloads/plan.txt", "Documents/Курсовая/1.txt", "Downloads/a.zip", "Documents/final.txt", "Documents/todo.txt")
	p := newPlannerAt(t, home)
	tests := []struct {
		words  string
		answer string   // to the question "choice"
		goals  []string // action target → destination, below home; "?" and the choices of the question
	}{
		{"rename draft.txt to final2.txt then copy it to documents", "", []string{"rename Documents/Work/draft.txt → final2.txt", "copy Documents/Work/final2.txt → Documents/"}},
		{"rename draft.txt to plan.txt and open it", "", []string{"rename Documents/Work/draft.txt → plan.txt", "open Documents/Work/plan.txt"}}, // and not the other plan.txt
		{"переименуй draft.txt в итог.txt и открой его", "", []string{"rename Documents/Work/draft.txt → итог.txt", "open Documents/Work/итог.txt"}},
		{"скопируй plan.txt в документы и переименуй в план2.txt", "", []string{"copy Downloads/plan.txt → Documents/", "rename Documents/plan.txt → план2.txt"}},
		{"copy plan.txt to documents and rename the copy to plan2.txt", "", []string{"copy Downloads/plan.txt → Documents/", "rename Documents/plan.txt → plan2.txt"}},
		{"zip the Work folder and move it to downloads", "", []string{"zip Documents/Work", "move Documents/Work.zip → Downloads/"}},
		{"сожми папку Work в зип и положи в загрузки", "", []string{"zip Documents/Work", "move Documents/Work.zip → Downloads/"}},
		{"zip the Work folder and delete the original", "", []string{"zip Documents/Work", "delete Documents/Work"}},
		{"zip my documents", "", []string{"zip Documents → Downloads/"}}, // not into the home folder, which is not granted
		{"copy plan.txt to documents and delete the original", "", []string{"copy Downloads/plan.txt → Documents/", "delete Downloads/plan.txt"}},
		{"unzip a.zip and open it", "", []string{"unzip Downloads/a.zip", "open Downloads/a"}},
		{"unzip a.zip and delete it", "", []string{"?", "a.zip", "a"}},
		{"unzip a.zip and delete it", "a.zip", []string{"unzip Downloads/a.zip", "delete Downloads/a.zip"}},
		{"сначала заархивируй Курсовую потом удали её", "", []string{"?", "~/Documents/Курсовая", "~/Documents/Курсовая.zip"}},
		{"сначала заархивируй Курсовую потом удали её", "~/Documents/Курсовая", []string{"zip Documents/Курсовая", "delete Documents/Курсовая"}},
		{"open the todo and then delete it", "", []string{"open Documents/todo.txt", "delete Documents/todo.txt"}},
		{"copy plan.txt to documents and delete plan.txt", "", []string{"copy Downloads/plan.txt → Documents/", "delete Downloads/plan.txt"}},
		{"delete it", "", []string{"?"}},
		{"move plan.txt to documents and delete the original", "", []string{"?"}}, // there is none
	}
	for _, tt := range tests {
		t.Run(tt.words+tt.answer, func(t *testing.T) {
			in, _ := p.Understand(Request{Text: tt.words, Look: true, Answers: map[string]string{"choice": tt.answer}})
			var got []string
			if in.Status == interpret.Ambiguous {
				got = []string{"?"}
				if in.Questions[0].ID == "choice" {
					for _, c := range in.Questions[0].Choices {
						got = append(got, c.Value)
					}
				}
			} else {
				for _, g := range p.Settle(in.files, p.ExistingPaths(in.files)).Goals {
					text := g.Action + " " + g.Target
					if g.Destination != "" {
						text += " → " + g.Destination
					}
					got = append(got, strings.ReplaceAll(text, home+"/", ""))
				}
			}
			if strings.Join(got, "; ") != strings.Join(tt.goals, "; ") {
				t.Errorf("got  %q\nwant %q (%v)", got, tt.goals, in.Reason)
			}
		})
	}
}
