//go:build unix

package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/poll"
	"errand/host/browser/page"
)

// site is the test site of the actions: pages of a.example, frames of other.example, and links to
// forbidden.example, which policy denies.
type site struct {
	*world
	mu   sync.Mutex
	sent []string // method and URL of the requests of forms and buttons
}

var pages = map[string]string{
	"/form": `<title>form</title><h1>Order</h1>
		<form action="/sent" method="post" aria-label="Address">
			<label>Name <input name="name" required maxlength="20"></label>
			<label>Secret <input name="pw" type="password"></label>
			<label>Born <input name="born" type="date"></label>
			<input name="q" placeholder="search here"><textarea aria-label="Notes">old</textarea>
			<label>Size <select name="size"><option value="s">Small<option value="m">Medium<option disabled>Huge</select></label>
			<select name="many" multiple aria-label="Extras"><option>Nuts<option>Milk<option>Soy</select>
			<label><input type="checkbox" name="agree"> I agree</label>
			<label><input type="radio" name="way" value="post"> Post</label><label><input type="radio" name="way" value="pick"> Pick up</label>
			<div role="switch" aria-checked="false" tabindex="0" aria-label="Dark" onclick="this.ariaChecked = this.ariaChecked !== 'true'">x</div>
			<div contenteditable role="textbox" aria-label="Letter"><b>old</b> text</div>
			<input aria-label="Locked" readonly value="x"><input aria-label="Off" disabled>
			<button>Send</button><button type="button" data-testid="plain" onclick="fetch('/sent?plain')">Plain</button>
		</form><form aria-label="Other"><button type="button">Send</button></form>`,
	"/links": `<title>links</title>
		<a href="/form">Plain link</a> <a href="/form" onclick="fetch('/sent?handled'); return false">Handled link</a>
		<a href="/form" id="listened">Listened link</a><script>listened.addEventListener("click", e => { e.preventDefault(); fetch("/sent?listened") })</script>
		<a href="#">Nowhere link</a> <a href="javascript:fetch('/sent?js')">Script link</a> <a href="https://forbidden.example/">Forbidden link</a>
		<a href="/file" download>Saved link</a> <a href="/form"><button>Button in a link</button></a>
		<span onclick="fetch('/sent?span')">Span</span> <a href="#below">Within link</a> <a href="/form"><b>Bold link</b></a>
		<div style="height:3000px"></div><p id="below">Below</p><a href="/table">Far link</a>`,
	"/ready": `<title>ready</title><style>#late{display:none} #move{position:absolute;top:200px;left:0}</style>
		<button id="late">Late</button><button id="move">Moving</button><button disabled id="off">Disabled for now</button><button disabled>Disabled for ever</button>
		<div style="position:relative;width:200px;height:40px"><button style="width:200px;height:40px">Covered</button><div class="veil" style="position:absolute;inset:0;background:#0003">wait</div></div>
		<div style="position:relative;width:200px;height:40px"><button style="width:200px;height:40px">Uncovered soon</button><div id="veil" style="position:absolute;inset:0">veil</div></div>
		<button style="visibility:hidden">Hidden</button><button style="width:0;height:0;padding:0;border:0;overflow:hidden">Flat</button>
		<button style="animation: go 0.397s infinite linear">Never still</button><style>@keyframes go { from { margin-left: 0 } to { margin-left: 300px } }</style>
		<div id="log"></div>
		<script>
			setTimeout(() => late.style.display = "inline", 300);
			let x = 0; const t = setInterval(() => { move.style.left = (x += 20) + "px"; if (x > 200) clearInterval(t) }, 30);
			setTimeout(() => { off.disabled = false }, 400); setTimeout(() => veil.remove(), 400);
			addEventListener("click", e => log.textContent += e.target.textContent + (e.isTrusted ? "!" : "?"));
		</script>`,
	"/shadow": `<title>shadow</title><div id="open"></div><div id="closed"></div><p>light</p>
		<script>
			const inner = (n) => "<button onclick=\"fetch('/sent?" + n + "')\">" + n + " button</button><input placeholder='" + n + " hint' data-testid='" + n + "-id'><p class='" + n + "'>" + n + " text</p><a href='/" + n + "'>" + n + " link</a><slot></slot>";
			open = document.getElementById("open"); open.attachShadow({mode: "open"}).innerHTML = inner("open") + "<div id=deep></div>";
			open.shadowRoot.getElementById("deep").attachShadow({mode: "open"}).innerHTML = inner("deep");
			document.getElementById("closed").attachShadow({mode: "closed"}).innerHTML = inner("closed");
		</script>`,
	"/frames": `<title>frames</title><button>Same name</button>
		<iframe title="same" src="/inner" style="margin:30px;border:5px solid;padding:7px"></iframe><iframe title="cross" src="https://other.example/inner" style="margin:11px"></iframe>
		<iframe title="quoted" srcdoc="<button onclick=&quot;parent.postMessage('srcdoc','*')&quot;>In srcdoc</button>"></iframe>
		<p id="got"></p><script>addEventListener("message", e => got.textContent += e.data + " ")</script>`,
	"/inner": `<title>inner</title><p style="margin-top:40px">at HOST</p><button onclick="parent.postMessage('HOST', '*')">Tell HOST</button>
		<label>Field <input></label><button>Same name</button><iframe title="deeper" src="https://other.example/deep"></iframe>`,
	"/hungframe": `<title>hung</title><button>Outside</button><iframe title="hangs" src="https://other.example/hangs"></iframe>`,
	"/hangs":     `<title>hangs</title><script>setTimeout(() => { const r = new XMLHttpRequest(); r.open("GET", "/sent?hangs", false); r.send(); while (true) {} }, 50)</script>`,
	"/deep":      `<title>deep</title><button onclick="top.postMessage('deep', '*')">Tell deep</button>`,
	"/dialogs": `<title>dialogs</title><button onclick="alert('hello'); this.textContent = confirm('sure?') + ' ' + prompt('name?', 'x')">Ask</button>
		<button onclick="while (true) confirm('again?')">Ask for ever</button><button onclick="setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '/hang', false); r.send() }, 0)">Hang</button>
		<button onclick="onbeforeunload = e => { e.preventDefault(); return 'x' }">Hold</button><a href="/form">Leave</a>`,
	"/spa": `<title>spa</title><nav><a href="/spa?two" id="go">Two</a></nav><main>one</main><button onclick="history.pushState({}, '', '/spa?pushed'); document.querySelector('main').textContent = 'pushed'">Push</button>
		<button onclick="setTimeout(() => document.querySelector('main').innerHTML = '<p>loaded later</p>', 400)">Load</button>
		<script>addEventListener("click", e => { if (e.target.id == "go") { e.preventDefault(); history.pushState({}, "", e.target.href); document.title = "spa two"; document.querySelector("main").textContent = "two" } });
			onpopstate = () => document.querySelector("main").textContent = "back at " + location.search</script>`,
	"/infinite": `<title>infinite</title><style>li{height:100px}</style><ul id="list"></ul><script>
		let n = 0; const more = () => { for (let i = 0; i < 20; i++) list.insertAdjacentHTML("beforeend", "<li>item " + ++n + "</li>") };
		more(); addEventListener("scroll", () => { if (n < 100 && scrollY + innerHeight > document.body.scrollHeight - 50) more() })</script>`,
	"/table": `<title>table</title><table><thead><tr><th>Name<th>Price<th>Link</thead><tbody>
		<tr data-id="1"><td>Tea<td>2.50<td><a href="/tea">buy</a><tr data-id="2"><td>Coffee<td>3.00<td><a href="/coffee">buy</a> <a href="/beans">beans</a>
		<tr data-id="3"><td>Water<td>0.00<td>free</table>
		<ul class="results"><li><h3><a href="/one">One</a></h3><p class="tag">a</p><p class="tag">b</p><li><h3><a href="/two">Two</a></h3><li hidden>no</ul>`,
	"/worker": `<title>worker</title><p id="state">none</p><script>navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then(() => state.textContent = "ready")</script>`,
	"/moves":  `<title>moves</title><button onclick="setTimeout(() => location = '/form', 100)">Go soon</button><button onclick="location = 'https://forbidden.example/x'">Go astray</button><button onclick="location = '/slow'">Go slowly</button><button onclick="location = '/nothing'">Go nowhere</button><button onclick="location = '/file'">Get file</button><a href="/endless">Go on and on</a><button onclick="document.body.innerHTML = '<button>Other</button>'">Replace</button>`,
	"/picky": `<title>picky</title><label>Number <input type="number" value="7"></label><label>Born <input type="date"></label><label>Alarm <input type="time"></label>
		<label>When <input type="datetime-local"></label><label>Colour <input type="color"></label><label>Loudness <input type="range" min="0" max="10"></label>
		<label>Short <input maxlength="3"></label><label>Hidden <input type="password" maxlength="3"></label><textarea aria-label="Area" maxlength="3"></textarea>
		<label>Phone <input oninput="const d = this.value.replace(/\D/g, '').slice(0, 7); this.value = d.replace(/^(\d{3})(?=\d)/, '$1-')"></label>
		<label>Upper <input oninput="this.value = this.value.toUpperCase()"></label><label>Dots <input oninput="this.value = '•'.repeat(this.value.length)"></label><label>Refuses <input oninput="this.value = ''"></label>
		<label>Late <input oninput="const v = this.value; this.value = ''; setTimeout(() => this.value = v, 100)"></label>`,
	"/keys": `<title>keys</title><form action="/sent"><input aria-label="Field" name="f"></form><textarea aria-label="Area"></textarea><button onclick="fetch('/sent?space')">Push</button><p id="log"></p><script>addEventListener("keydown", e => log.textContent += (e.ctrlKey ? "^" : "") + e.key + (e.isTrusted ? "!" : "?"))</script>`,
}

func newSite(t testing.TB) *site {
	w := newWorld(t)
	s := &site{world: w}
	w.https("a.example", s)
	w.https("other.example", s)
	return s
}

func (s *site) launch(change ...func(*page.Options)) *page.Browser {
	change = append([]func(*page.Options){func(o *page.Options) { o.Decide = allowHosts("a.example", "other.example") }}, change...)
	return s.world.launch(change...)
}

func (s *site) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch page, ok := pages[r.URL.Path]; {
	case ok:
		fmt.Fprint(rw, "<!doctype html>", strings.ReplaceAll(page, "HOST", r.Host))
	case r.URL.Path == "/sent":
		s.mu.Lock()
		s.sent = append(s.sent, r.Method+" "+r.URL.RequestURI())
		s.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(rw, "<!doctype html><title>sent</title><p>%s %s</p>", r.Method, body)
	case r.URL.Path == "/slow":
		time.Sleep(700 * time.Millisecond)
		fmt.Fprint(rw, "<!doctype html><title>slow</title>there at last")
	case r.URL.Path == "/endless":
		fmt.Fprint(rw, "<!doctype html><title>endless</title>")
		for r.Context().Err() == nil {
			fmt.Fprint(rw, "<p>more</p>")
			rw.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	case r.URL.Path == "/nothing":
		rw.WriteHeader(http.StatusNoContent)
	case r.URL.Path == "/file":
		rw.Header().Set("Content-Disposition", `attachment; filename="a.bin"`)
		fmt.Fprint(rw, "data")
	case r.URL.Path == "/sw.js":
		rw.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(rw, `self.addEventListener("fetch", e => e.respondWith(new Response("from the worker")))`)
	case r.URL.Path == "/big":
		fmt.Fprint(rw, "<!doctype html><title>big</title>", strings.Repeat(`<p>some words of a page that goes on and on</p><a href="/form">link</a>`, 5000))
	case r.URL.Path == "/hang":
		<-r.Context().Done()
	default:
		fmt.Fprintf(rw, "<!doctype html><title>%s</title><p>%s</p>", r.URL.Path, r.URL.Path)
	}
}

// was reports whether a form or a button sent a request.
func (s *site) was(sent string) bool {
	return poll.WaitUntil(func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Contains(s.sent, sent)
	})
}
