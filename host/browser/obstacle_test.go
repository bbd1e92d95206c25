//go:build unix

package browser_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/poll"
	"errand/host/browser/page"
	"errand/host/tool"
)

// article is a page with enough text to be an article.
var article = "<h1>How captchas work</h1>" + strings.Repeat("<p>A captcha asks you to verify you are human: are you a robot, or not? Sites check for unusual traffic. <a href='/x'>more</a></p>", 30)

// corpus are short versions of real pages: first pages with an obstacle, then pages without one.
var corpus = []struct {
	name, host, body string
	status           int
	header           string // Cf-Mitigated
	want             string // code; empty: the page opens
	evidence         string // a part of the message
}{
	{
		"a check of the browser, marked", "a.example", `<title>Just a moment...</title><h1>a.example</h1><p>Verifying you are human. This may take a few seconds.</p>`,
		403, "challenge", "challenge_page", "Cf-Mitigated",
	},
	{
		"a check of the browser, not marked", "a.example", `<title>Just a moment...</title><div id="challenge-running"></div><h2>Checking if the site connection is secure</h2>`,
		503, "", "challenge_page", "challenge-running",
	},
	{
		"unusual traffic", "www.google.com/sorry/index", `<title>https://www.google.com/search?q=x</title><p>Our systems have detected unusual traffic from your computer network.</p><form><div id="recaptcha"></div></form>`,
		429, "", "challenge_page", "google",
	},
	{
		"a riddle and nothing else", "a.example", `<title>a.example</title><p>Please complete the security check to continue.</p><iframe src="https://www.google.com/recaptcha/api2/anchor" width="304" height="78"></iframe>`,
		200, "", "challenge_page", "recaptcha",
	},
	{
		"a riddle in a closed shadow", "a.example", `<title>a.example</title><div id=h></div><script>h.attachShadow({mode: "closed"}).innerHTML = '<iframe src="https://challenges.cloudflare.com/turnstile"></iframe>'</script>`,
		200, "", "challenge_page", "cloudflare",
	},
	{
		"a riddle that has opened over a form", "a.example", article + `<form><input name=q><button>Send</button></form><div style="position:fixed;top:10px;left:10px"><iframe src="https://www.google.com/recaptcha/api2/bframe" style="width:400px;height:580px"></iframe></div>`,
		200, "", "challenge_page", "its open puzzle",
	},
	{
		"characters to type, of nobody that is known", "a.example", `<title>Robot check</title><h4>Enter the characters you see below</h4><img alt="captcha" src="/c.png" width="200" height="70"><form><input name="captchacharacters" placeholder="Type characters"><button>Continue</button></form>`,
		200, "", "challenge_page", "enter the characters you see",
	},
	{
		"the same in Russian", "a.example", `<title>Ой!</title><h1>Подтвердите, что запросы отправляли вы, а не робот</h1><input type="checkbox" aria-label="Я не робот">`,
		200, "", "challenge_page", "а не робот",
	},
	{
		"press and hold", "a.example", `<title>Access to this page has been denied</title><p>Press &amp; Hold to confirm you are human (and not a bot).</p><div id="px-captcha"></div>`,
		403, "", "challenge_page", "human",
	},
	{
		"a consent page", "consent.youtube.com", `<title>Before you continue to YouTube</title><h1>Before you continue</h1><button>Reject all</button><button>Accept all</button>`,
		200, "", "consent_wall", "youtube",
	},
	{
		"a wall over the page", "a.example", article + `<style>body{overflow:hidden}</style><div style="position:fixed;inset:0;background:#000a"><div role="dialog" style="margin:100px auto;width:600px;background:#fff"><p>We and our partners use cookies to process personal data.</p><button>Accept all</button><button>Reject all</button></div></div>`,
		200, "", "consent_wall", "an overlay that asks for consent",
	},
	{
		"a modal dialog", "a.example", article + `<dialog id=d style="width:80vw;height:80vh"><p>We value your privacy. Do you consent to cookies?</p><button>I agree</button></dialog><script>d.showModal()</script>`,
		200, "", "consent_wall", "an overlay that asks for consent",
	},
	{
		"words alone", "a.example", `<title>a.example</title><h1>Verify you are human</h1><p>We need to make sure that this is you. Please wait.</p>`,
		200, "", "challenge_page", "its heading: verify you are human",
	},
	{"a heading alone", "a.example", `<title>a.example</title><h2>Checking your browser before accessing a.example…</h2>`, 200, "", "challenge_page", "checking your browser"},
	{
		"a title and a line", "a.example", `<title>Robot check</title><p>To continue to a.example, please show us that you are not a robot.</p>`,
		200, "", "challenge_page", "its heading: robot check",
	},
	{
		"words alone in Russian", "a.example", `<title>a.example</title><h1>Проверяем ваш браузер</h1><p>Это займёт несколько секунд.</p>`,
		200, "", "challenge_page", "проверяем ваш браузер",
	},
	{
		"a demand in Russian", "a.example", `<title>Доступ</title><h1>Пожалуйста, подтвердите, что вы человек, чтобы продолжить</h1>`,
		200, "", "challenge_page", "подтвердите, что вы человек",
	},
	{
		"a page of consent of nobody that is known", "a.example", `<title>a.example</title><h1>Before you continue</h1><p>We and our partners use cookies.</p><button>Accept all</button><button>Reject all</button>`,
		200, "", "consent_wall", "a page that only asks for consent",
	},
	{
		"one in Russian", "a.example", `<title>a.example</title><h1>Мы ценим вашу конфиденциальность</h1><p>Мы используем файлы cookie и просим согласия.</p><button>Принять</button>`,
		200, "", "consent_wall", "a page that only asks for consent",
	},

	{"an album of that name", "a.example", `<title>Are you human?</title><h1>Are you human?</h1><p>Ten songs, 2019.</p><button>Play</button>`, 200, "", "", ""},
	{"a short note about one", "a.example", `<title>Notes</title><h1>Verify you are human: why it fails</h1><p>People hate it. Please wait for part two.</p>`, 200, "", "", ""},
	{"a short article of that name", "a.example", `<title>Blog</title><article><h1>Checking your browser</h1><p>Why sites ask you to wait a few seconds.</p></article>`, 200, "", "", ""},
	{
		"a listing with such a heading", "a.example", `<title>Blog</title><h1>Checking your browser</h1><p>Please wait.</p>` + strings.Repeat(`<a href="/x">post</a> `, 9),
		200, "", "", "",
	},
	{"a small page with a banner in it", "a.example", `<title>Tea</title><h1>Tea</h1><p>Water at 80 degrees.</p><div><h2>We use cookies</h2><p>Do you consent?</p><button>Accept all</button></div>`, 200, "", "", ""},
	{"how a site uses cookies", "a.example", `<title>Cookies</title><h1>We use cookies</h1><p>One, for the language, with your consent.</p><a href="/">Home</a>`, 200, "", "", ""},
	{"a form that asks for a yes", "a.example", `<title>Newsletter</title><h1>Your consent</h1><p>We process personal data.</p><input name="email"><button>I agree</button>`, 200, "", "", ""},
	{"an article about captchas", "a.example", "<title>How captchas work</title>" + article, 200, "", "", ""},
	{"a short answer about captchas", "a.example", `<title>What is a captcha?</title><p>A riddle that asks you to prove that you are human, such as "I'm not a robot".</p>`, 200, "", "", ""},
	{"a search for it", "a.example", `<title>are you a robot - search</title><input name=q value="are you a robot"><button>Search</button>` + article, 200, "", "", ""},
	{
		"a login page with a captcha", "a.example", `<title>Log in</title><form><label>Email <input name=e></label><label>Password <input type=password></label><iframe src="https://www.google.com/recaptcha/api2/anchor" width="304" height="78"></iframe><button>Log in</button></form>`,
		200, "", "", "",
	},
	{
		"a long form with a captcha at its end", "a.example", `<title>Contact</title>` + article + `<form><input name=n><textarea></textarea><iframe src="https://hcaptcha.com/x" width="300" height="78"></iframe><button>Send</button></form>`,
		200, "", "", "",
	},
	{
		"a folded riddle", "a.example", `<title>Shop</title>` + article + `<iframe src="https://www.google.com/recaptcha/api2/bframe" style="width:400px;height:580px;visibility:hidden"></iframe>`,
		200, "", "", "",
	},
	{
		"a banner that is only a banner", "a.example", `<title>News</title>` + article + `<div role="dialog" style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#eee">We use cookies. <button>Accept</button><button>Reject</button></div>`,
		200, "", "", "",
	},
	{
		"a header that stays, and a chat", "a.example", `<title>News</title>` + article + `<header style="position:fixed;top:0;left:0;right:0;height:80px">News <button>Accept cookies</button></header><div style="position:fixed;right:0;bottom:0;width:300px;height:400px">Ask us! <button>Yes</button></div>`,
		200, "", "", "",
	},
	{
		"a dialog that asks for something else", "a.example", article + `<dialog id=d style="width:80vw;height:80vh"><p>Subscribe to our newsletter?</p><button>Yes</button></dialog><script>d.showModal()</script>`,
		200, "", "", "",
	},
	{"an error page", "a.example", `<title>403 Forbidden</title><h1>Forbidden</h1>`, 403, "", "", ""},
	{"too many requests", "a.example", `<title>429</title><h1>Too Many Requests</h1><p>Slow down.</p>`, 429, "", "", ""},
	{"an empty page", "a.example", ``, 200, "", "", ""},
}

// TestObstacles opens the pages of the corpus, four at a time in one browser. Each page with an
// obstacle takes as long as a check may take to pass by itself.
func TestObstacles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	site := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/recaptcha/") || r.Host == "challenges.cloudflare.com" || r.Host == "hcaptcha.com" {
			html("<p>riddle").ServeHTTP(rw, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".png") || strings.HasSuffix(r.URL.Path, ".ico") {
			http.NotFound(rw, r)
			return
		}
		i, err := strconv.Atoi(r.URL.Query().Get("case"))
		if err != nil {
			http.NotFound(rw, r)
			return
		}
		c := corpus[i]
		if c.header != "" {
			rw.Header().Set("Cf-Mitigated", c.header)
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.WriteHeader(c.status)
		_, _ = rw.Write([]byte("<!doctype html>" + c.body))
	})
	for _, h := range []string{"a.example", "www.google.com", "consent.youtube.com", "challenges.cloudflare.com", "hcaptcha.com"} {
		w.https(h, site)
	}
	notes := &notebook{}
	b := w.launch(func(o *page.Options) { o.Note = notes.write })
	type opened struct {
		url string
		err error
	}
	got := make([]opened, len(corpus))
	var all sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, c := range corpus {
		url := "https://" + c.host
		if !strings.Contains(c.host, "/") {
			url += "/"
		}
		url += "?case=" + strconv.Itoa(i)
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			_, err := b.Open(t.Context(), url)
			got[i] = opened{url, err}
		})
	}
	all.Wait()
	for i, c := range corpus {
		t.Run(c.name, func(t *testing.T) {
			err := got[i].err
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *tool.Error
			if !errors.As(err, &e) || e.Class != tool.ToolUnavailable || e.Code != c.want || !strings.Contains(i18n.English().Text(e.Message), c.evidence) || !e.Recoverable || e.Retriable || !strings.Contains(i18n.English().Text(e.Hint), "--show") {
				t.Errorf("Open = %v (%+v), want %s", err, e, c.want)
			}
			if !notes.has("page", map[string]any{"event": "challenge", "url": got[i].url}) {
				t.Error("the challenge is not in the notes")
			}
		})
	}
}

// TestObstacleThatPasses checks that Errand waits for a check that passes by itself, and for the
// page behind it, which may be slow.
func TestObstacleThatPasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(`<title>Just a moment...</title><div id="challenge-running"></div><script>setTimeout(() => location = "/in" + location.search, 500)</script>`).ServeHTTP(rw, r)
			return
		case "/in":
			if r.URL.RawQuery == "slow" { // longer than the check may take
				<-time.After(5 * time.Second)
			}
		}
		html("<title>inside</title>").ServeHTTP(rw, r)
	}))
	b := w.launch()
	for _, query := range []string{"", "?slow"} {
		if page, err := b.Open(t.Context(), "https://a.example/"+query); err != nil || page.Title != "inside" || page.URL != "https://a.example/in"+query {
			t.Errorf("%q: Open = %+v, %v", query, page.Title, err)
		}
	}
}

// TestUserSolvesObstacle checks that in a visible window the user solves the obstacle and the
// call continues with the page behind it.
func TestUserSolvesObstacle(t *testing.T) {
	needsScreen(t)
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			html(`<title>Robot check</title><p>Verify you are human</p><button style="position:fixed;inset:0;width:100vw" onclick="location = '/in'">I'm not a robot</button>`).ServeHTTP(rw, r)
			return
		}
		html("<title>inside</title>").ServeHTTP(rw, r)
	}))
	notes := &notebook{}
	b := w.launch(func(o *page.Options) { o.Show, o.Note = true, notes.write })
	waits := func() bool { return notes.has("page", map[string]any{"event": "challenge", "waits_seconds": 300}) }
	go func() {
		if poll.WaitUntil(waits) {
			_ = click(context.Background(), b, "https://a.example/", 100, 100)
		}
	}()
	page, err := b.Open(t.Context(), "https://a.example/")
	if err != nil || page.Title != "inside" || !notes.has("page", map[string]any{"event": "challenge_solved", "wait": 1}) {
		t.Errorf("Open = %+v, %v", page.Title, err)
	}

	t.Run("nobody comes", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			poll.WaitUntil(func() bool { return notes.has("page", map[string]any{"event": "challenge", "wait": 2}) })
			cancel()
		}()
		_, err := b.Open(ctx, "https://a.example/")
		wantError(t, err, tool.ExecutionError, "interrupted", "")
		if !notes.has("page", map[string]any{"event": "challenge_unsolved", "wait": 2}) {
			t.Error("nothing says that the wait is over")
		}
	})
}
