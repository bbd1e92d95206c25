package interpret

import (
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
)

// TestTopicSites searches the sites that are configured for topics. A site in the words wins, and
// only meanings and maps lose their noun there.
func TestTopicSites(t *testing.T) {
	in, err := New(catalogue.Default(), Options{TopicSites: map[string]string{"weather": "duckduckgo", "define": "wikipedia", "maps": "openstreetmap", "directions": "google_maps"}})
	must.Succeed(t, err)
	for _, tt := range []struct{ text, want string }{
		{"weather in oslo", "s:duckduckgo:weather in oslo"},
		{"weather in oslo on bing", "s:bing:weather in oslo"},
		{"define entropy", "s:wikipedia:entropy"},
		{"what is the meaning of irony", "s:wikipedia:irony"},
		{"что значит апофеоз", "s:wikipedia:апофеоз"},
		{"show me a map of oslo", "s:openstreetmap:oslo"},
		{"map of oslo on google maps", "s:google_maps:oslo"},
		{"directions to the airport", "n:https://google.com/maps/dir/?api=1&destination=the%20airport"},
		{"directions from berlin to munich by train", "n:https://google.com/maps/dir/?api=1&origin=berlin&destination=munich&travelmode=transit"},
		{"how do i get to the airport on foot", "n:https://google.com/maps/dir/?api=1&destination=the%20airport&travelmode=walking"},
		{"directions from berlin", "s:google_maps:directions from berlin"},
		{"directions to oslo on openstreetmap", "n:https://openstreetmap.org/directions?to=oslo"},
		{"directions to oslo on bing", "s:bing:directions to oslo"},
		{"directions to my house", "-"},
		{"как доехать от дома до работы", "n:https://google.com/maps/dir/?api=1&origin=%D0%B4%D0%BE%D0%BC%D0%B0&destination=%D1%80%D0%B0%D0%B1%D0%BE%D1%82%D1%8B"},
		{"translate hello to german on google translate", "s:google_translate:hello"},
		{"translate hello to german on bing", "s:bing:translate hello to german"},
		{"map of oslo on bing", "s:bing:map of oslo"},
		{"translate hello to french", "s:google:translate hello to french"},
		{"show me the news", "s:google:news"},
		{"open youtube and define entropy", "n:https://youtube.com/ + s:wikipedia:entropy"},
	} {
		if got := shortOf(in, tt.text); got != tt.want {
			t.Errorf("%q = %s, want %s", tt.text, got, tt.want)
		}
	}
	if _, err := New(catalogue.Default(), Options{TopicSites: map[string]string{"news": "gogle"}}); err == nil {
		t.Error("an unknown site of a topic is accepted")
	}
}

// TestAnsweredTopics keeps the topic when words are left out.
func TestAnsweredTopics(t *testing.T) {
	in := newInterpreter(t)
	for _, tt := range []struct{ text, id, value, want string }{
		{"define success for me in one word", "partial", "leave_out", "s:google:define success"},
		{"show me the news about cats and tell me the score", "partial", "leave_out", "s:google:news about cats"},
		{"show me the news on bloofle.com", "site", "words", "s:google:news on bloofle.com"},
		{"weather in oslo on bloofle.com", "site", "words", "s:google:weather in oslo on bloofle.com"},
		{"show me the news on bloofle.com", "site", "open", "n:https://bloofle.com/"},
	} {
		r := in.ReadWith(tt.text, map[string]string{tt.id: tt.value})
		if got := short(r, finish(in, r)); got != tt.want {
			t.Errorf("%q with %s = %s (%v), want %s", tt.text, tt.value, got, r.Questions, tt.want)
		}
	}
}
