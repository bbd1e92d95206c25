package challenge

import (
	"strings"

	"errand/planner/message"
)

// tiny is the maximum number of characters on a page that is recognised by its heading
// alone, and tinyLinks the maximum number of its links.
const (
	tiny      = 500
	tinyLinks = 4
)

// byHeading recognises a page by its heading, or its title if it has none. The page is
// tiny and not an article, and the heading is a demand, not a sentence about one. The text
// below must match, because a page may have such a name.
func byHeading(l Snapshot) (Detection, bool) {
	if l.Article || l.TextLen > tiny || l.Links > tinyLinks || !isAlmostEmpty(l) {
		return Detection{}, false
	}
	over := l.Headings
	if len(over) == 0 {
		over = []string{l.Title}
	}
	text := normalise(l.Text)
	for _, heading := range over {
		heading = normalise(heading)
		for _, d := range headingPatterns {
			if !d.matches(heading) {
				continue
			}
			rest := strings.TrimSpace(strings.Replace(text, heading, "", 1))
			alone := rest == "" && !d.asks
			if alone || containsAny(rest, waitPhrases) {
				return Detection{d.kind, "", message.New("browser.evidence_heading", "words", d.words)}, true
			}
		}
	}
	return Detection{}, false
}

// byConsent recognises a page that is only a consent wall: all of its headings are about
// consent, and there is a button to agree.
func byConsent(l Snapshot) (Detection, bool) {
	if l.Article || len(l.Headings) == 0 || l.Links > fewLinks || !isAlmostEmpty(l) {
		return Detection{}, false
	}
	matched := false
	for _, c := range l.Controls {
		if c.Kind == "text" { // it has content of its own
			return Detection{}, false
		}
		matched = matched || c.Kind == "button" && containsAny(normalise(c.Name), accepting)
	}
	for _, heading := range l.Headings {
		if !hasAnyPrefix(normalise(heading), blockPhrases) {
			return Detection{}, false
		}
	}
	if !matched || !containsAny(normalise(l.Text), consenting) {
		return Detection{}, false
	}
	return Detection{Consent, "", message.New("browser.evidence_only_consent")}, true
}

// headingPattern is a typical heading of a challenge, in plain form.
type headingPattern struct {
	words string
	kind  Kind
	asks  bool // it is a question that other pages use as a heading
}

// matches reports whether a heading is the demand, possibly with "please" before it and a
// purpose after it.
func (d headingPattern) matches(heading string) bool {
	for _, please := range []string{"please ", "please, ", "пожалуйста, ", "пожалуйста "} {
		heading = strings.TrimPrefix(heading, please)
	}
	rest, ok := strings.CutPrefix(heading, d.words)
	if !ok {
		return false
	}
	rest = strings.Trim(rest, " .!?,:;")
	return rest == "" || hasAnyPrefix(rest, purposes)
}

func hasAnyPrefix(text string, any []string) bool {
	for _, s := range any {
		if strings.HasPrefix(text, s) {
			return true
		}
	}
	return false
}

// headingPatterns lists the headings of challenges.
var headingPatterns = []headingPattern{
	{"verify you are human", Captcha, false},
	{"verify that you are human", Captcha, false},
	{"verify you're human", Captcha, false},
	{"verify you are not a robot", Captcha, false},
	{"verify that you are not a robot", Captcha, false},
	{"confirm you are human", Captcha, false},
	{"confirm that you are human", Captcha, false},
	{"prove you are human", Captcha, false},
	{"prove that you are human", Captcha, false},
	{"human verification", Captcha, true},
	{"robot check", Captcha, true},
	{"are you a robot", Captcha, true},
	{"are you human", Captcha, true},
	{"security check", Interstitial, true},
	{"one more step", Interstitial, true},
	{"just a moment", Interstitial, true},
	{"checking your browser", Interstitial, false},
	{"verifying your browser", Interstitial, false},
	{"verifying you are human", Interstitial, false},
	{"checking if the site connection is secure", Interstitial, false},
	{"checking that you are human", Interstitial, false},
	{"checking you are human", Interstitial, false},
	{"подтвердите, что вы не робот", Captcha, false},
	{"подтвердите, что вы человек", Captcha, false},
	{"докажите, что вы не робот", Captcha, false},
	{"докажите, что вы человек", Captcha, false},
	{"вы не робот", Captcha, true},
	{"вы робот", Captcha, true},
	{"проверка, что вы не робот", Captcha, false},
	{"проверка на робота", Captcha, true},
	{"проверка безопасности", Interstitial, true},
	{"проверка браузера", Interstitial, true},
	{"проверка вашего браузера", Interstitial, false},
	{"проверяем ваш браузер", Interstitial, false},
	{"проверяем браузер", Interstitial, false},
	{"проверяем, что вы не робот", Interstitial, false},
	{"проверяем, человек ли вы", Interstitial, false},
	{"одну минуту", Interstitial, true},
	{"секундочку", Interstitial, true},
}

// Words around a demand, in plain form.
var (
	// purposes are continuations of a demand.
	purposes = []string{
		"before", "to continue", "to proceed", "to access", "to view", "by completing", "and not a robot", "and not a bot",
		"перед", "прежде", "чтобы", "для продолжения", "для доступа", "а не робот",
	}
	// waitPhrases are texts below a demand to wait.
	waitPhrases = []string{
		"to continue", "before you continue", "before continuing", "to proceed", "before proceeding", "to access", "before accessing", "please wait",
		"few seconds", "a moment", "be redirected", "redirect you", "security of your connection", "automated requests", "automated traffic", "unusual traffic",
		"enable javascript", "enable cookies", "not a robot", "you are human", "ray id", "your request",
		"чтобы продолжить", "прежде чем", "для продолжения", "чтобы получить доступ", "для доступа", "подождите", "несколько секунд",
		"перенаправ", "автоматически", "включите javascript", "включите cookie", "не робот", "ваш запрос", "безопасность соединения",
	}
	// blockPhrases are headings of a consent wall.
	blockPhrases = []string{
		"before you continue", "we value your privacy", "your privacy matters", "your privacy is important", "we care about your privacy",
		"we use cookies", "this site uses cookies", "this website uses cookies", "we need your consent", "your consent", "are you over 18", "are you 18",
		"you must be 18", "age verification",
		"прежде чем продолжить", "мы ценим вашу конфиденциальность", "мы заботимся о вашей конфиденциальности", "мы используем файлы cookie",
		"мы используем cookie", "мы используем куки", "этот сайт использует", "нам нужно ваше согласие", "ваше согласие", "вам есть 18",
		"вам уже есть 18", "вам исполнилось 18", "подтвердите возраст", "подтвердите свой возраст",
	}
)
