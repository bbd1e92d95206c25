// Package challenge detects pages that require a person or consent before they show their
// content. It has no side effects: the result depends only on the given look at a page,
// and contains the evidence.
//
// A page counts if it is only a challenge, or if a challenge covers it. A page with a
// captcha in a form, or with a text about captchas, does not count. Errand reports
// challenges and never circumvents them.
package challenge

import (
	"net/url"
	"slices"
	"strings"

	"errand/planner/message"
)

// Kind is a kind of challenge.
type Kind string

// Kinds.
const (
	Captcha      Kind = "captcha"      // a puzzle for people
	Interstitial Kind = "interstitial" // a check of the browser, or "unusual traffic"
	Consent      Kind = "consent"      // a consent wall before the content
)

// Snapshot describes a page at one moment.
type Snapshot struct {
	URL       string
	Title     string
	Status    int    // HTTP status of the document; 0: unknown
	Mitigated string // the header Cf-Mitigated, with which Cloudflare marks its challenges
	Text      string // the start of the visible text
	TextLen   int    // length of the whole visible text, in characters
	Headings  []string
	Article   bool // it has marks of an article, such as a date
	Links     int  // number of visible links
	Frames    []Frame
	Controls  []Control // visible controls
	IDs       []string  // ids and classes of elements that providers use
	Cover     *Cover    // the element that covers the middle of the window, or nil
}

// Frame is a document within the page.
type Frame struct {
	URL           string
	Width, Height int // 0 if it is invisible or its size is unknown
}

// Control is a form control or button.
type Control struct {
	Kind string // text, password, checkbox, button, image
	Name string // label, text, or name in its form
}

// Cover is an element that overlays the page and does not scroll with it.
type Cover struct {
	Share    float64 // share of the window that it covers, including its backdrop
	Dialog   bool    // by its role or element
	Locked   bool    // the page below can't be scrolled or reached
	Text     string
	Controls []Control
}

// Detection is a detected challenge.
type Detection struct {
	Kind     Kind            `json:"kind"`
	Provider string          `json:"provider,omitempty"` // "" if the provider is unknown
	Evidence message.Message `json:"evidence"`           // how it was recognised
}

// maxText is the maximum number of characters on a page that is only a challenge, and
// fewLinks the maximum number of its links.
const (
	maxText  = 1500
	fewLinks = 12
)

// Detect returns the challenge on a page, if there is one.
func Detect(l Snapshot) (Detection, bool) {
	for _, look := range []func(Snapshot) (Detection, bool){byAddress, byMark, byWidget, byWords, byHeading, byConsent, byCover} {
		if f, ok := look(l); ok {
			return f, true
		}
	}
	return Detection{}, false
}

// byAddress recognises URLs that are only used for challenges.
func byAddress(l Snapshot) (Detection, bool) {
	u, err := url.Parse(l.URL)
	if err != nil {
		return Detection{}, false
	}
	for _, a := range addresses {
		if a.matches(u) {
			return Detection{a.kind, a.provider, message.New("browser.evidence_address")}, true
		}
	}
	return Detection{}, false
}

// byMark recognises marks that a provider puts on its challenges.
func byMark(l Snapshot) (Detection, bool) {
	if strings.EqualFold(strings.TrimSpace(l.Mitigated), "challenge") {
		return Detection{Interstitial, "cloudflare", message.New("browser.evidence_header", "name", "Cf-Mitigated")}, true
	}
	for _, m := range marks {
		if slices.Contains(l.IDs, m.id) && isAlmostEmpty(l) {
			return Detection{m.kind, m.provider, message.New("browser.evidence_element", "id", m.id)}, true
		}
	}
	return Detection{}, false
}

// byWidget recognises the frames of puzzles. On a page with other content, a puzzle counts
// only if it is expanded over it.
func byWidget(l Snapshot) (Detection, bool) {
	for _, f := range l.Frames {
		u, err := url.Parse(f.URL)
		if err != nil {
			continue
		}
		for _, w := range widgets {
			switch {
			case !w.matches(u):
			case w.unfolds && f.Width >= minExpandedSize && f.Height >= minExpandedSize:
				return Detection{Captcha, w.provider, message.New("browser.evidence_open_puzzle")}, true
			case !w.unfolds && isAlmostEmpty(l):
				return Detection{w.kind, w.provider, message.New("browser.evidence_frame")}, true
			}
		}
	}
	return Detection{}, false
}

// minExpandedSize is the minimum size of an expanded puzzle, in CSS pixels. Collapsed, its frame
// is a checkbox or invisible.
const minExpandedSize = 200

// byWords recognises a small page whose text is a challenge, if it has controls to answer
// it or its status is an error.
func byWords(l Snapshot) (Detection, bool) {
	if !isAlmostEmpty(l) {
		return Detection{}, false
	}
	text := normalise(l.Title + "\n" + l.Text)
	phrase, kind := findPhrase(text)
	if phrase == "" {
		return Detection{}, false
	}
	refuses := l.Status == 403 || l.Status == 405 || l.Status == 429 || l.Status == 503
	if !refuses && !hasAnswerControls(l.Controls) && !strings.Contains(normalise(l.Title), phrase) {
		return Detection{}, false
	}
	if !refuses && kind == Captcha && !hasAnswerControls(l.Controls) {
		return Detection{}, false // it is about challenges
	}
	return Detection{kind, "", message.New("browser.evidence_words", "words", phrase)}, true
}

// byCover recognises a consent wall: an element that covers the page, blocks it, and asks
// for consent with a button.
func byCover(l Snapshot) (Detection, bool) {
	c := l.Cover
	if c == nil || !c.Locked || c.Share < 0.25 {
		return Detection{}, false
	}
	text, matched, no := normalise(c.Text), false, false
	for _, b := range c.Controls {
		if b.Kind != "button" {
			continue
		}
		matched = matched || containsAny(normalise(b.Name), accepting)
		no = no || containsAny(normalise(b.Name), refusing)
	}
	if matched && containsAny(text, consenting) {
		evidence := message.New("browser.evidence_cover")
		if no {
			evidence = message.New("browser.evidence_cover_refusable")
		}
		return Detection{Consent, "", evidence}, true
	}
	if phrase, kind := findPhrase(text); phrase != "" && hasAnswerControls(c.Controls) {
		return Detection{kind, "", message.New("browser.evidence_cover_words", "words", phrase)}, true
	}
	return Detection{}, false
}

// isAlmostEmpty reports whether a page has almost no content of its own: no text, no links and no
// login form.
func isAlmostEmpty(l Snapshot) bool {
	login := slices.ContainsFunc(l.Controls, func(c Control) bool { return c.Kind == "password" })
	return l.TextLen <= maxText && l.Links <= fewLinks && !login && len(l.Controls) <= 8
}

// hasAnswerControls reports whether there are controls to answer a puzzle.
func hasAnswerControls(controls []Control) bool {
	return slices.ContainsFunc(controls, func(c Control) bool {
		name := normalise(c.Name)
		switch c.Kind {
		case "checkbox", "button":
			return containsAny(name, proving)
		case "text", "image":
			return containsAny(name, riddles)
		}
		return false
	})
}

// findPhrase returns the first phrase of a challenge in a text, and its kind.
func findPhrase(text string) (string, Kind) {
	for _, p := range phrases {
		if strings.Contains(text, p.words) {
			return p.words, p.kind
		}
	}
	return "", ""
}

func containsAny(text string, any []string) bool {
	return slices.ContainsFunc(any, func(s string) bool { return strings.Contains(text, s) })
}

// normalise normalises text: lower case, plain apostrophes, single spaces.
func normalise(s string) string {
	s = strings.NewReplacer("’", "'", "‘", "'", "…", "...", "ё", "е", "\u00a0", " ").Replace(strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}
