package interpret

import (
	"testing"

	"errand/planner/catalogue"
)

// TestMediaSite plays on the site that is configured. What may be a device is asked about even so.
func TestMediaSite(t *testing.T) {
	in, err := New(catalogue.Default(), Options{TopicSites: map[string]string{"media": "spotify"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{"play despacito", "s:spotify:despacito"},
		{"play some jazz", "s:spotify:jazz"},
		{"play the song yellow by coldplay", "s:spotify:yellow by coldplay"},
		{"listen to the song of the birds", "s:spotify:the song of the birds"},
		{"put on some music please", "s:spotify:music"},
		{"put on a sweater", "?"},
		{"watch my back", "-"},
		{"play despacito on youtube", "s:youtube:despacito"},
		{"open youtube and play despacito", "s:youtube:despacito"},
		{"open notepad and play despacito", "a:notepad + s:spotify:despacito"},
		{"play video.mp4", "-"},
		{"play the next song", "next_media"},
		{"play my playlist", "?"},
		{"play despacito and tell me the lyrics", "?"},
		{"don't play despacito", "-"},
		{"включи песню группа крови", "s:spotify:группа крови"},
		{"поставь джаз", "s:spotify:джаз"},
		{"послушать моцарта", "s:spotify:моцарта"},
		{"включи группу крови", "?"},
		{"включи свет", "-"},
		{"поставь чайник на плиту", "-"},
		{"включи следующую песню", "next_media"},
	} {
		if got := shortOf(in, tt.text); got != tt.want {
			t.Errorf("%q = %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestRememberedMediaSite makes the answer to the question about the site a goal of its own, which
// comes first. With a configured site the answer holds for this goal alone.
func TestRememberedMediaSite(t *testing.T) {
	without := newInterpreter(t)
	with, err := New(catalogue.Default(), Options{TopicSites: map[string]string{"media": "spotify"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		in                      *Interpreter
		text, id, answer, goals string
	}{
		{without, "play jazz", "media", "spotify", "set:search.media=spotify + s:spotify:jazz"},
		{without, "play jazz", "media", "on soundcloud", "set:search.media=soundcloud + s:soundcloud:jazz"},
		{without, "включи джаз", "media", "на рутубе", "set:search.media=rutube + s:rutube:джаз"},
		{without, "play jazz", "media", "notepad", "?"},
		{without, "open notepad and play jazz", "media", "youtube", "a:notepad + set:search.media=youtube + s:youtube:jazz"},
		{with, "включи группу крови", "put_on", "spotify", "s:spotify:группу крови"},
		{with, "put on a sweater", "put_on", "youtube", "s:youtube:a sweater"},
	} {
		r := tt.in.ReadWith(tt.text, map[string]string{tt.id: tt.answer})
		if got := short(r, finish(tt.in, r)); got != tt.goals {
			t.Errorf("%q with %s = %s (%v), want %s", tt.text, tt.answer, got, r.Questions, tt.goals)
		}
		if search := len(r.Goals.Goals) - 1; tt.in == without && search > 0 && r.Goals.Deps[r.Goals.Goals[search].GoalID] == nil {
			t.Errorf("%q: the search doesn't wait for the setting: %v", tt.text, r.Goals.Deps)
		}
	}
}
