package i18n

import "testing"

func TestYesAndNo(t *testing.T) {
	for answer, want := range map[string][2]bool{
		"y": {true, false}, "Yes": {true, false}, "да": {true, false}, "Д": {true, false},
		"n": {false, true}, "No": {false, true}, "нет": {false, true},
		"": {}, "yes no": {}, "maybe": {},
	} {
		if got := [2]bool{IsYes(answer), IsNo(answer)}; got != want {
			t.Errorf("%q: yes and no are %v, want %v", answer, got, want)
		}
	}
}
