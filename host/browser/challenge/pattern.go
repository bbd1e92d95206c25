package challenge

import (
	"net/url"
	"strings"
)

// urlPattern identifies something by its URL.
type urlPattern struct {
	host     string // the host and its subdomains
	path     string // prefix of the path; "": any
	kind     Kind
	provider string
	unfolds  bool // for a frame: it is a puzzle if it is large
}

func (p urlPattern) matches(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	return (p.host == "" || host == p.host || strings.HasSuffix(host, "."+p.host)) && strings.HasPrefix(u.Path, p.path)
}

// addresses lists pages that are only challenges.
var addresses = []urlPattern{
	{host: "google.com", path: "/sorry/", kind: Interstitial, provider: "google"},
	{host: "consent.google.com", kind: Consent, provider: "google"},
	{host: "consent.youtube.com", kind: Consent, provider: "youtube"},
	{host: "consent.yahoo.com", kind: Consent, provider: "yahoo"},
	{host: "guce.yahoo.com", kind: Consent, provider: "yahoo"},
	{host: "yandex.ru", path: "/showcaptcha", kind: Captcha, provider: "yandex"},
	{host: "ya.ru", path: "/showcaptcha", kind: Captcha, provider: "yandex"},
	{host: "yandex.com", path: "/showcaptcha", kind: Captcha, provider: "yandex"},
	{host: "amazon.com", path: "/errors/validateCaptcha", kind: Captcha, provider: "amazon"},
	{host: "challenges.cloudflare.com", kind: Interstitial, provider: "cloudflare"},
	{host: "validate.perfdrive.com", kind: Captcha, provider: "radware"},
	{host: "geo.captcha-delivery.com", kind: Captcha, provider: "datadome"},
}

// widgets lists the frames of puzzles.
var widgets = []urlPattern{
	{host: "google.com", path: "/recaptcha/api2/bframe", kind: Captcha, provider: "recaptcha", unfolds: true},
	{host: "google.com", path: "/recaptcha/enterprise/bframe", kind: Captcha, provider: "recaptcha", unfolds: true},
	{host: "recaptcha.net", path: "/recaptcha/api2/bframe", kind: Captcha, provider: "recaptcha", unfolds: true},
	{host: "google.com", path: "/recaptcha/api2/anchor", kind: Captcha, provider: "recaptcha"},
	{host: "google.com", path: "/recaptcha/enterprise/anchor", kind: Captcha, provider: "recaptcha"},
	{host: "recaptcha.net", path: "/recaptcha/api2/anchor", kind: Captcha, provider: "recaptcha"},
	{host: "hcaptcha.com", kind: Captcha, provider: "hcaptcha"},
	{host: "challenges.cloudflare.com", kind: Interstitial, provider: "cloudflare"},
	{host: "captcha-delivery.com", kind: Captcha, provider: "datadome"},
	{host: "arkoselabs.com", kind: Captcha, provider: "arkose"},
	{host: "funcaptcha.com", kind: Captcha, provider: "arkose"},
	{host: "smartcaptcha.yandexcloud.net", kind: Captcha, provider: "yandex"},
	{host: "captcha.awswaf.com", kind: Captcha, provider: "aws"},
	{host: "geetest.com", kind: Captcha, provider: "geetest"},
	{path: "/_Incapsula_Resource", kind: Interstitial, provider: "imperva"},
	{path: "/cdn-cgi/challenge-platform/", kind: Interstitial, provider: "cloudflare"},
}

// marks lists elements that identify the challenge pages of providers.
var marks = []struct {
	id       string
	kind     Kind
	provider string
}{
	{"challenge-running", Interstitial, "cloudflare"},
	{"challenge-form", Interstitial, "cloudflare"},
	{"cf-challenge-running", Interstitial, "cloudflare"},
	{"cf-please-wait", Interstitial, "cloudflare"},
	{"cf-turnstile", Interstitial, "cloudflare"},
	{"px-captcha", Captcha, "human"},
	{"captcha-container", Captcha, "aws"},
	{"main-iframe-incapsula", Interstitial, "imperva"},
	{"ddos-guard", Interstitial, "ddos-guard"},
	{"sec-if-cpt-container", Interstitial, "akamai"},
	{"checkbox-captcha-form", Captcha, "yandex"},
}

// Marks returns the ids and classes to look for in a page.
func Marks() []string {
	var ids []string
	for _, m := range marks {
		ids = append(ids, m.id)
	}
	return ids
}

// phrases lists texts of challenges in plain form, but not texts about captchas in
// general.
var phrases = []struct {
	words string
	kind  Kind
}{
	{"unusual traffic from your computer network", Interstitial},
	{"detected unusual traffic", Interstitial},
	{"detected unusual activity", Interstitial},
	{"checking your browser before", Interstitial},
	{"checking if the site connection is secure", Interstitial},
	{"verifying your browser", Interstitial},
	{"just a moment...", Interstitial},
	{"needs to review the security of your connection", Interstitial},
	{"pardon our interruption", Interstitial},
	{"you have been blocked", Interstitial},
	{"ddos protection by", Interstitial},
	{"verify you are human", Captcha},
	{"verify that you are human", Captcha},
	{"verify you're human", Captcha},
	{"confirm you are human", Captcha},
	{"confirm that you are human", Captcha},
	{"prove you are human", Captcha},
	{"prove that you are human", Captcha},
	{"make sure you're not a robot", Captcha},
	{"make sure you are not a robot", Captcha},
	{"you are not a robot", Captcha},
	{"you're not a robot", Captcha},
	{"i'm not a robot", Captcha},
	{"i am not a robot", Captcha},
	{"are you a robot", Captcha},
	{"are you human", Captcha},
	{"enter the characters you see", Captcha},
	{"type the characters you see", Captcha},
	{"complete the security check", Captcha},
	{"press & hold to confirm", Captcha},
	{"press and hold to confirm", Captcha},
	{"подозрительный трафик", Interstitial},
	{"проверяем ваш браузер", Interstitial},
	{"проверка браузера", Interstitial},
	{"запросы отправляли вы, а не робот", Captcha},
	{"запросы, поступившие с вашего ip-адреса, похожи на автоматические", Captcha},
	{"подтвердите, что вы не робот", Captcha},
	{"докажите, что вы не робот", Captcha},
	{"я не робот", Captcha},
	{"вы не робот", Captcha},
	{"введите символы с картинки", Captcha},
}

// Words in the controls that answer a challenge, in plain form.
var (
	proving    = []string{"not a robot", "human", "verify", "captcha", "press & hold", "press and hold", "i am a person", "не робот", "человек"}
	riddles    = []string{"captcha", "characters you see", "characters in the image", "code in the image", "security code", "капча", "символы", "код с картинки"}
	consenting = []string{"cookie", "consent", "your privacy", "personal data", "our partners", "куки", "согласи", "персональных данных", "18 or older", "over 18", "мне есть 18"}
	accepting  = []string{"accept", "agree", "allow", "consent", "got it", "i understand", "yes", "enter", "принять", "соглас", "разрешить", "да", "понятно"}
	refusing   = []string{"reject", "decline", "refuse", "deny", "no, ", "отклонить", "отказ"}
)
