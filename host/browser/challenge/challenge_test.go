package challenge

import (
	"reflect"
	"testing"
)

func TestByAddress(t *testing.T) {
	tests := []struct {
		name, url string
		want      string // provider; empty: no challenge
	}{
		{"unusual traffic", "https://www.google.com/sorry/index?continue=x", "google"},
		{"a search for it", "https://www.google.com/search?q=sorry", ""},
		{"consent", "https://consent.youtube.com/m?continue=x", "youtube"},
		{"a host that looks like it", "https://consent.youtube.com.evil.example/", ""},
		{"a path that looks like it", "https://a.example/sorry/", ""},
		{"yandex", "https://yandex.ru/showcaptcha?x=1", "yandex"},
		{"not a URL", "%", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Detect(Snapshot{URL: tt.url})
			if ok != (tt.want != "") || f.Provider != tt.want {
				t.Errorf("Detect = %+v, %t", f, ok)
			}
		})
	}
}

// TestWidgets checks that a puzzle is detected if the page has no other content, or if the puzzle
// covers the content.
func TestWidgets(t *testing.T) {
	anchor := Frame{URL: "https://www.google.com/recaptcha/api2/anchor?k=x", Width: 304, Height: 78}
	folded := Frame{URL: "https://www.google.com/recaptcha/api2/bframe?k=x"}
	open := Frame{URL: "https://www.google.com/recaptcha/api2/bframe?k=x", Width: 400, Height: 580}
	turnstile := Frame{URL: "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/h/g/turnstile/if/ov2/av0/x"}
	form := []Control{{"text", "Name"}, {"text", "Message"}, {"button", "Send"}}
	long := Snapshot{TextLen: 9000, Links: 60, Controls: form}
	with := func(l Snapshot, f ...Frame) Snapshot { l.Frames = f; return l }
	tests := []struct {
		name string
		l    Snapshot
		want string
	}{
		{"nothing else", with(Snapshot{TextLen: 80}, anchor, folded), "recaptcha"},
		{"within a long page", with(long, anchor, folded), ""},
		{"open over a long page", with(long, anchor, open), "recaptcha"},
		{"beside a password", with(Snapshot{TextLen: 100, Controls: []Control{{"password", "Password"}}}, anchor, folded), ""},
		{"turnstile alone", with(Snapshot{TextLen: 200}, turnstile), "cloudflare"},
		{"turnstile in a shop", with(long, turnstile), ""},
		{"a map", with(Snapshot{TextLen: 10}, Frame{URL: "https://www.google.com/maps/embed", Width: 600, Height: 400}), ""},
		{"marked by its sender", Snapshot{Mitigated: "challenge", TextLen: 99999}, "cloudflare"},
		{"an element that is known", Snapshot{IDs: []string{"px-captcha"}, TextLen: 100}, "human"},
		{"the same within a long page", Snapshot{IDs: []string{"px-captcha"}, TextLen: 9000, Links: 40}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Detect(tt.l)
			if ok != (tt.want != "") || f.Provider != tt.want || ok && f.Evidence.IsZero() {
				t.Errorf("Detect = %+v, %t, want %q", f, ok, tt.want)
			}
		})
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("https://a.example/", "Just a moment...", "verify you are human", 403)
	f.Add("%zz", "", "\xff", 0)
	f.Fuzz(func(t *testing.T, url, title, text string, status int) {
		l := Snapshot{URL: url, Title: title, Text: text, TextLen: len(text), Status: status, Frames: []Frame{{URL: url}}}
		got, ok := Detect(l)
		again, okAgain := Detect(l)
		if !reflect.DeepEqual(got, again) || ok != okAgain || ok == got.Evidence.IsZero() {
			t.Errorf("%+v, %t; then %+v, %t", got, ok, again, okAgain)
		}
	})
}
