// Package challenge detects pages that want a person or consent before they show
// their content. It is pure: the same look at a page gives the same answer, and the
// answer names its evidence.
//
// A page counts if it is only a challenge, or if a challenge covers it. A page that
// contains a captcha in a form, or writes about captchas, does not count. Errand
// reports a challenge and never gets around it.
package challenge

import (
	"net/url"
	"slices"
	"strings"
)

// Kind of what is in the way.
type Kind string

// Kinds.
const (
	Captcha      Kind = "captcha"      // a riddle for people
	Interstitial Kind = "interstitial" // a check of the browser, or "unusual traffic"
	Consent      Kind = "consent"      // a wall that wants consent before the page is shown
)

// Look is what is known of a page, at one moment.
type Look struct {
	URL       string
	Title     string
	Status    int    // HTTP status of the document; 0: not known
	Mitigated string // the header Cf-Mitigated, with which Cloudflare marks its challenges
	Text      string // what a person can read, the beginning of it
	TextLen   int    // how long all of it is, in characters
	Headings  []string
	Article   bool // it has what pages of texts have: an article, a date
	Links     int  // that a person can see
	Frames    []Frame
	Controls  []Control // that a person can see
	IDs       []string  // of elements: their ids and classes, those that providers use
	Cover     *Cover    // what covers the middle of the window; nil: nothing does
}

// Frame is a document within the page.
type Frame struct {
	URL           string
	Width, Height int // 0 if it is invisible or its size is not known
}

// Control is something to fill in or to press.
type Control struct {
	Kind string // text, password, checkbox, button, image
	Name string // label, words, or the name that its form sends
}

// Cover is an element that lies over the page and does not scroll with it.
type Cover struct {
	Share    float64 // of the window that it takes, its backdrop included
	Dialog   bool    // by its role or element
	Locked   bool    // the page beneath can't be scrolled or reached
	Text     string
	Controls []Control
}

// Found is what is in the way.
type Found struct {
	Kind     Kind   `json:"kind"`
	Provider string `json:"provider,omitempty"` // "" where only its form is known
	Evidence string `json:"evidence"`           // what it was known by
}

// small is how much a page that is nothing but a challenge says at most, in
// characters; fewLinks how many links it has.
const (
	small    = 1500
	fewLinks = 12
)

// Detect says what is in the way, if anything is.
func Detect(l Look) (Found, bool) {
	for _, look := range []func(Look) (Found, bool){byAddress, byMark, byWidget, byWords, byHeading, byConsent, byCover} {
		if f, ok := look(l); ok {
			return f, true
		}
	}
	return Found{}, false
}

// byAddress knows pages that exist for nothing else.
func byAddress(l Look) (Found, bool) {
	u, err := url.Parse(l.URL)
	if err != nil {
		return Found{}, false
	}
	for _, a := range addresses {
		if a.fits(u) {
			return Found{a.kind, a.provider, "its address"}, true
		}
	}
	return Found{}, false
}

// byMark knows what a provider says of its own answer.
func byMark(l Look) (Found, bool) {
	if strings.EqualFold(strings.TrimSpace(l.Mitigated), "challenge") {
		return Found{Interstitial, "cloudflare", "the header Cf-Mitigated"}, true
	}
	for _, m := range marks {
		if slices.Contains(l.IDs, m.id) && bare(l) {
			return Found{m.kind, m.provider, "the element " + m.id}, true
		}
	}
	return Found{}, false
}

// byWidget knows the frames that riddles are in. One in a page that has something
// else to offer is in the way only where it has unfolded over it.
func byWidget(l Look) (Found, bool) {
	for _, f := range l.Frames {
		u, err := url.Parse(f.URL)
		if err != nil {
			continue
		}
		for _, w := range widgets {
			switch {
			case !w.fits(u):
			case w.unfolds && f.Width >= unfolded && f.Height >= unfolded:
				return Found{Captcha, w.provider, "its riddle is open"}, true
			case !w.unfolds && bare(l):
				return Found{w.kind, w.provider, "its frame on a page that has nothing else"}, true
			}
		}
	}
	return Found{}, false
}

// unfolded is the least size of a riddle that has opened, in CSS pixels. Folded
// up its frame is a checkbox, or nothing.
const unfolded = 200

// byWords knows a small page that says what it wants, and either has the means
// for it or was sent with a status that refuses.
func byWords(l Look) (Found, bool) {
	if !bare(l) {
		return Found{}, false
	}
	text := plain(l.Title + "\n" + l.Text)
	phrase, kind := said(text)
	if phrase == "" {
		return Found{}, false
	}
	refuses := l.Status == 403 || l.Status == 405 || l.Status == 429 || l.Status == 503
	if !refuses && !answerable(l.Controls) && !strings.Contains(plain(l.Title), phrase) {
		return Found{}, false
	}
	if !refuses && kind == Captcha && !answerable(l.Controls) {
		return Found{}, false // it speaks of one
	}
	return Found{kind, "", "its words: " + phrase}, true
}

// byCover knows a wall: something that covers the page, keeps the person from it,
// and asks for consent with something to press.
func byCover(l Look) (Found, bool) {
	c := l.Cover
	if c == nil || !c.Locked || c.Share < 0.25 {
		return Found{}, false
	}
	text, yes, no := plain(c.Text), false, false
	for _, b := range c.Controls {
		if b.Kind != "button" {
			continue
		}
		yes = yes || has(plain(b.Name), accepting)
		no = no || has(plain(b.Name), refusing)
	}
	if yes && has(text, consenting) {
		evidence := "it covers the page and asks for consent"
		if no {
			evidence += ", or a no"
		}
		return Found{Consent, "", evidence}, true
	}
	if phrase, kind := said(text); phrase != "" && answerable(c.Controls) {
		return Found{kind, "", "it covers the page: " + phrase}, true
	}
	return Found{}, false
}

// bare says that a page has hardly anything of its own: neither words nor links
// nor a form to log in by.
func bare(l Look) bool {
	login := slices.ContainsFunc(l.Controls, func(c Control) bool { return c.Kind == "password" })
	return l.TextLen <= small && l.Links <= fewLinks && !login && len(l.Controls) <= 8
}

// answerable says that there is something to answer a riddle with.
func answerable(controls []Control) bool {
	return slices.ContainsFunc(controls, func(c Control) bool {
		name := plain(c.Name)
		switch c.Kind {
		case "checkbox", "button":
			return has(name, proving)
		case "text", "image":
			return has(name, riddles)
		}
		return false
	})
}

// said is the first phrase of a challenge in a text, and what it is of.
func said(text string) (string, Kind) {
	for _, p := range phrases {
		if strings.Contains(text, p.words) {
			return p.words, p.kind
		}
	}
	return "", ""
}

func has(text string, any []string) bool {
	return slices.ContainsFunc(any, func(s string) bool { return strings.Contains(text, s) })
}

// plain is a text in one form: small letters, plain apostrophes, single spaces.
func plain(s string) string {
	s = strings.NewReplacer("’", "'", "‘", "'", "…", "...", "ё", "е", "\u00a0", " ").Replace(strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}
