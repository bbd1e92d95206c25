package interpret

import "testing"

// TestPlaceSpokenOfBefore asks where "there" is, and answers with the place that the question
// offers, if the search before names just one.
func TestPlaceSpokenOfBefore(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string][]string{
		"check the weather in rome and then find me hotels there":      {"weather in rome", "hotels in rome"},
		"check the weather in new york tomorrow and find hotels there": {"weather in new york tomorrow", "hotels in new york"},
		"search for museums in oslo, then search for cafes there":      {"museums in oslo", "cafes in oslo"},
		"покажи погоду в риме, потом найди отели там":                  {"погоду в риме", "отели в риме"},
		"check the weather in rome and paris, then find hotels there":  nil,
		"search for museums, then search for cafes there":              nil,
		"find hotels there": nil,
		"найди отели там":   nil,
	} {
		r := in.Read(text)
		if r.Status != Ambiguous || len(r.Questions) != 1 || r.Questions[0].ID != "partial" {
			t.Errorf("Read(%q) = %s %v", text, r.Status, r.Questions)
			continue
		}
		choices := r.Questions[0].Choices
		if want == nil {
			if len(choices) != 2 {
				t.Errorf("Read(%q) offers a place: %v", text, choices)
			}
			continue
		}
		r = in.ReadWith(text, map[string]string{r.Questions[0].ID: choices[0].Value})
		if len(r.Goals.Goals) != len(want) {
			t.Errorf("Read(%q) answered with %q: %s %v", text, choices[0].Value, r.Status, r.Questions)
			continue
		}
		for i, g := range r.Goals.Goals {
			if g.Query != want[i] {
				t.Errorf("Read(%q) answered with %q searches for %q, want %q", text, choices[0].Value, g.Query, want[i])
			}
		}
	}
}
