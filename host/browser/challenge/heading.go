package challenge

import "strings"

// tiny is how much a page says at most, in characters, that has nothing to be
// known by but the words over it; tinyLinks how many links it has.
const (
	tiny      = 500
	tinyLinks = 4
)

// byHeading knows a page of words alone. It is tiny and no article, and a heading
// of it, or its title where it has none, is the demand itself and not a sentence
// about one. What stands beneath has to go with it: a page may be called so.
func byHeading(l Look) (Found, bool) {
	if l.Article || l.TextLen > tiny || l.Links > tinyLinks || !bare(l) {
		return Found{}, false
	}
	over := l.Headings
	if len(over) == 0 {
		over = []string{l.Title}
	}
	text := plain(l.Text)
	for _, heading := range over {
		heading = plain(heading)
		for _, d := range demands {
			if !d.is(heading) {
				continue
			}
			rest := strings.TrimSpace(strings.Replace(text, heading, "", 1))
			alone := rest == "" && !d.asks
			if alone || has(rest, waiting) {
				return Found{d.kind, "", "its heading: " + d.words}, true
			}
		}
	}
	return Found{}, false
}

// byConsent knows a page that is nothing but a wall: all of its headings speak of
// consent, and there is something to agree with.
func byConsent(l Look) (Found, bool) {
	if l.Article || len(l.Headings) == 0 || l.Links > fewLinks || !bare(l) {
		return Found{}, false
	}
	yes := false
	for _, c := range l.Controls {
		if c.Kind == "text" { // it has something of its own to do
			return Found{}, false
		}
		yes = yes || c.Kind == "button" && has(plain(c.Name), accepting)
	}
	for _, heading := range l.Headings {
		if !starts(plain(heading), walls) {
			return Found{}, false
		}
	}
	if !yes || !has(plain(l.Text), consenting) {
		return Found{}, false
	}
	return Found{Consent, "", "it asks for consent and shows nothing else"}, true
}

// demand is what a challenge has for a heading, in plain form.
type demand struct {
	words string
	kind  Kind
	asks  bool // it is a question that many a page is called by
}

// is reports whether a heading is the demand: nothing before it but a please, and
// behind it nothing or what it is for.
func (d demand) is(heading string) bool {
	for _, please := range []string{"please ", "please, ", "пожалуйста, ", "пожалуйста "} {
		heading = strings.TrimPrefix(heading, please)
	}
	rest, ok := strings.CutPrefix(heading, d.words)
	if !ok {
		return false
	}
	rest = strings.Trim(rest, " .!?,:;")
	return rest == "" || starts(rest, purposes)
}

func starts(text string, any []string) bool {
	for _, s := range any {
		if strings.HasPrefix(text, s) {
			return true
		}
	}
	return false
}

// demands are the headings of challenges.
var demands = []demand{
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
	// purposes are what a demand goes on with.
	purposes = []string{
		"before", "to continue", "to proceed", "to access", "to view", "by completing", "and not a robot", "and not a bot",
		"перед", "прежде", "чтобы", "для продолжения", "для доступа", "а не робот",
	}
	// waiting is what stands under one.
	waiting = []string{
		"to continue", "before you continue", "before continuing", "to proceed", "before proceeding", "to access", "before accessing", "please wait",
		"few seconds", "a moment", "be redirected", "redirect you", "security of your connection", "automated requests", "automated traffic", "unusual traffic",
		"enable javascript", "enable cookies", "not a robot", "you are human", "ray id", "your request",
		"чтобы продолжить", "прежде чем", "для продолжения", "чтобы получить доступ", "для доступа", "подождите", "несколько секунд",
		"перенаправ", "автоматически", "включите javascript", "включите cookie", "не робот", "ваш запрос", "безопасность соединения",
	}
	// walls are what a page of consent has for headings.
	walls = []string{
		"before you continue", "we value your privacy", "your privacy matters", "your privacy is important", "we care about your privacy",
		"we use cookies", "this site uses cookies", "this website uses cookies", "we need your consent", "your consent", "are you over 18", "are you 18",
		"you must be 18", "age verification",
		"прежде чем продолжить", "мы ценим вашу конфиденциальность", "мы заботимся о вашей конфиденциальности", "мы используем файлы cookie",
		"мы используем cookie", "мы используем куки", "этот сайт использует", "нам нужно ваше согласие", "ваше согласие", "вам есть 18",
		"вам уже есть 18", "вам исполнилось 18", "подтвердите возраст", "подтвердите свой возраст",
	}
)
