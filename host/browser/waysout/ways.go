package waysout

// kind says where a way is tried.
type kind int

const (
	inPage kind = iota // in one page with all others, once without and once with TLS
	secure             // the same, for ways that require TLS
	popup              // the same, and again for each click on the page
	onTop              // in its own page, because it leaves the page
)

// way is one way for a page to contact a server. js is the body of a function with the
// variables
//
//	U  the URL of the way's forbidden server, http://127.0.0.1:40123/fetch
//	W  the same with ws://
//	H  its host and port
//	N  the way's name
//
// and the helpers of page.html.
type way struct {
	name  string
	about string
	kind  kind
	js    string

	host   string // the page's spelling of the forbidden server; "": 127.0.0.1
	told   bool   // the way itself reports that it was tried
	barred bool   // all versions of Chromium refuse it; tried anyway
}

// ways has all ways. A worker reports its own part.
var ways = []way{
	// Resources of a document.
	{name: "img", about: "a picture", js: `el("img", {src: U})`},
	{name: "srcset", about: "a picture by srcset", js: `el("img", {srcset: U + " 1x"})`},
	{name: "script", about: "a script", js: `el("script", {src: U})`},
	{name: "import", about: "import() of a module", js: `import(U)`},
	{name: "modulepreload", about: "a module loaded ahead", js: `el("link", {rel: "modulepreload", href: U})`},
	{name: "stylesheet", about: "a style sheet", js: `el("link", {rel: "stylesheet", href: U})`},
	{name: "css-import", about: "@import in a style sheet", js: `el("style", {textContent: '@import url("' + U + '");'})`},
	{name: "css-background", about: "a background picture", js: `el("div", {textContent: "x", style: 'background:url("' + U + '")'})`},
	{name: "css-font", about: "a font", js: `el("style", {textContent: '@font-face{font-family:f;src:url("' + U + '")}'}); el("p", {textContent: "x", style: "font-family:f"})`},
	{name: "svg-image", about: "a picture within SVG", js: `el("div", {innerHTML: '<svg><image href="' + U + '"/></svg>'})`},
	{name: "input-image", about: "a button's picture", js: `el("input", {type: "image", src: U})`},
	{name: "video", about: "a film", js: `el("video", {src: U, preload: "auto"})`},
	{name: "video-poster", about: "a film's still", js: `el("video", {poster: U})`},
	{name: "audio", about: "a sound", js: `el("audio", {src: U, preload: "auto"})`},
	{name: "track", about: "a film's subtitles", js: `const v = el("video", {src: "/film", crossOrigin: "anonymous"}); el("track", {src: U, default: true, kind: "subtitles"}, v); v.textTracks[0].mode = "showing"`},
	{name: "object", about: "an object", js: `el("object", {data: U})`},
	{name: "embed", about: "an embedded object", js: `el("embed", {src: U})`},
	{name: "icon", about: "the page's icon", js: `el("link", {rel: "icon", href: U}, document.head)`},
	{name: "manifest", about: "the page's manifest", js: `el("link", {rel: "manifest", href: U}, document.head)`},

	// Frames.
	{name: "iframe", about: "a frame", js: `el("iframe", {src: U})`},
	{name: "frame-srcdoc", about: "a picture in a frame without an address", js: `el("iframe", {srcdoc: '<img src="' + U + '">'})`},
	{name: "frame-data", about: "a picture in a data: frame", js: `el("iframe", {src: 'data:text/html,<img src="' + U + '">'})`},
	{name: "frame-blob", about: "a picture in a blob: frame", js: `el("iframe", {src: blob('<img src="' + U + '">', "text/html")})`},
	{name: "frame-javascript", about: "a javascript: frame that goes away", js: `el("iframe", {src: 'javascript:location="' + U + '"'})`},
	{name: "frame-meta", about: "a frame that refreshes itself elsewhere", js: `el("iframe", {srcdoc: '<meta http-equiv=refresh content="0;url=' + U + '">'})`},
	{name: "frame-header", about: "the same by a Refresh header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "frame-form", about: "a form posted into a frame", js: `el("iframe", {name: N}); el("form", {action: U, method: "POST", target: N}).submit()`},
	{name: "frame-redirect", about: "a frame that is redirected", js: `el("iframe", {src: "/hop/" + N})`},

	// Requests of a script.
	{name: "fetch", about: "fetch", js: `fetch(U, {mode: "no-cors"})`},
	{name: "fetch-keepalive", about: "fetch that outlives the page", js: `fetch(U, {mode: "no-cors", keepalive: true, method: "POST", body: "x"})`},
	{name: "fetch-preflight", about: "the question before a PUT", js: `fetch(U, {method: "PUT", headers: {"X-A": "1"}})`},
	{name: "xhr", about: "XMLHttpRequest", js: `const x = new XMLHttpRequest(); x.open("GET", U); x.send()`},
	{name: "beacon", about: "sendBeacon", js: `navigator.sendBeacon(U, "x")`},
	{name: "ping", about: "a link's ping", js: `el("a", {href: "#x", ping: U}).click()`},
	{name: "eventsource", about: "EventSource", js: `new EventSource(U)`},
	{name: "websocket", about: "WebSocket", js: `new WebSocket(W)`},
	{name: "socket-denied", about: "WebSocket of an allowed host whose WebSockets are not", host: NoSockets, js: `new WebSocket(W)`},
	{name: "socket-denied-worker", about: "the same of a worker", host: NoSockets, told: true, js: `new Worker(work(N, socketOf(W)))`},
	{name: "socket-denied-shared", about: "the same of a shared worker", host: NoSockets, told: true, js: `new SharedWorker(work(N, socketOf(W)))`},
	{name: "socket-denied-frame", about: "the same of a frame without an address", host: NoSockets, js: `el("iframe", {srcdoc: '<script>new WebSocket("' + W + '")</' + 'script>'})`},
	{name: "socket-path", about: "WebSocket with a denied path", host: NoPath, js: `new WebSocket(W.replace("/socket-path", "//SOCKET-PATH/x"))`},
	{name: "worklet", about: "a paint worklet", js: `CSS.paintWorklet.addModule(U)`, kind: secure},
	{name: "webrtc-stun", about: "WebRTC, STUN over UDP", js: `rtc({urls: "stun:" + H})`},
	{name: "webrtc-turn-udp", about: "WebRTC, TURN over UDP", js: `rtc({urls: "turn:" + H + "?transport=udp", username: "u", credential: "p"})`},
	{name: "webrtc-turn-tcp", about: "WebRTC, TURN over TCP", js: `rtc({urls: "turn:" + H + "?transport=tcp", username: "u", credential: "p"})`},
	{name: "webrtc-turn-tls", about: "WebRTC, TURN over TLS", js: `rtc({urls: "turns:" + H + "?transport=tcp", username: "u", credential: "p"})`},
	{name: "webtransport", about: "WebTransport over QUIC", js: `new WebTransport("https://" + H + "/")`, kind: secure},

	// Requests that the browser makes in advance or on behalf of the page.
	{name: "prefetch", about: "a prefetch", js: `el("link", {rel: "prefetch", href: U})`},
	{name: "preload", about: "a preload", js: `el("link", {rel: "preload", as: "image", href: U})`},
	{name: "preload-header", about: "a preload by a Link header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "preconnect", about: "a connection made ahead", js: `el("link", {rel: "preconnect", href: U})`},
	{name: "preconnect-header", about: "the same by a Link header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "speculation-prefetch", about: "a page fetched ahead by speculation rules", kind: secure, js: `speculate({prefetch: [{urls: [U]}]})`},
	{name: "speculation-prerender", about: "a picture in a page that speculation rules draw ahead", kind: secure, js: `speculate({prerender: [{urls: ["/serve/" + N]}]})`},
	{name: "csp-report", about: "a report of a content policy", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "reporting", about: "a report of the Reporting API", kind: secure, js: `const f = () => el("iframe", {src: "/serve/" + N}); f(); setTimeout(f, 1500)`},
	{name: "nel", about: "a report of a network error", kind: secure, js: `fetch("/serve/" + N).then(() => fetch("/cut"))`},

	// Redirects of an allowed host.
	{name: "redirect", about: "fetch, redirected", js: `fetch("/hop/" + N, {mode: "no-cors"})`},
	{name: "redirect-307", about: "a POST, redirected with its body", js: `fetch("/hop/" + N + "?code=307", {mode: "no-cors", method: "POST", body: "x"})`},
	{name: "redirect-chain", about: "the fifth redirect of a chain", js: `fetch("/hop/" + N + "?after=4", {mode: "no-cors"})`},
	{name: "redirect-img", about: "a picture, redirected", js: `el("img", {src: "/hop/" + N})`},

	// Workers.
	{name: "worker-fetch", about: "fetch of a worker", told: true, js: `new Worker(work(N, fetchOf(U)))`},
	{name: "worker-import", about: "importScripts of a worker", told: true, js: `new Worker(work(N, importOf(U)))`},
	{name: "worker-websocket", about: "WebSocket of a worker", told: true, js: `new Worker(work(N, socketOf(W)))`},
	{name: "shared-fetch", about: "fetch of a shared worker", told: true, js: `new SharedWorker(work(N, fetchOf(U)))`},
	{name: "shared-import", about: "importScripts of a shared worker", told: true, js: `new SharedWorker(work(N, importOf(U)))`},
	{name: "shared-websocket", about: "WebSocket of a shared worker", told: true, js: `new SharedWorker(work(N, socketOf(W)))`},
	{name: "service-fetch", about: "fetch of a service worker", told: true, kind: secure, js: `serve(N)`},
	{name: "service-import", about: "importScripts of a service worker", told: true, kind: secure, js: `serve(N)`},
	{name: "service-websocket", about: "WebSocket of a service worker", told: true, kind: secure, js: `serve(N)`},
	{name: "service-redirect", about: "a service worker that redirects a frame", kind: secure, js: `serve(N).then(() => el("iframe", {src: "/sw/" + N + "/page"}))`},
	{name: "service-preload", about: "the navigation preload of a service worker", kind: secure, js: `serve(N).then(() => el("iframe", {src: "/sw/" + N + "/page"}))`},

	// Windows.
	{name: "popup", about: "window.open", kind: popup, js: `open(U)`},
	{name: "popup-noopener", about: "the same, cut off from its opener", kind: popup, js: `open(U, "", "noopener")`},
	{name: "popup-blank", about: "an empty window that goes elsewhere", kind: popup, js: `open("about:blank").location = U`},
	{name: "popup-link", about: "a link to a new window", kind: popup, js: `el("a", {href: U, target: "_blank"}).click()`},
	{name: "popup-form", about: "a form posted into a new window", kind: popup, js: `el("form", {action: U, method: "POST", target: "_blank"}).submit()`},

	// Spellings of loopback, and names that resolve to it.
	{name: "as-localhost", about: "localhost", host: "localhost", js: `el("img", {src: U})`},
	{name: "as-localhost-dot", about: "localhost with a final dot", host: "localhost.", js: `el("img", {src: U})`},
	{name: "as-sub-localhost", about: "a name under localhost", host: "a.localhost", js: `el("img", {src: U})`},
	{name: "as-decimal", about: "the address as one number", host: "2130706433", js: `el("img", {src: U})`},
	{name: "as-hex", about: "the address in hexadecimal", host: "0x7f000001", js: `el("img", {src: U})`},
	{name: "as-octal", about: "the address in octal", host: "0177.0.0.1", js: `el("img", {src: U})`},
	{name: "as-short", about: "the address shortened", host: "127.1", js: `el("img", {src: U})`},
	{name: "as-full-width", about: "the address with full-width dots", host: "127。0。0。1", js: `el("img", {src: U})`},
	{name: "as-circled", about: "the address in circled digits", host: "①②⑦.⓪.⓪.①", js: `el("img", {src: U})`},
	{name: "as-zero", about: "0.0.0.0", host: "0.0.0.0", js: `el("img", {src: U})`},
	{name: "as-mapped", about: "the address mapped into IPv6", host: "[::ffff:127.0.0.1]", js: `el("img", {src: U})`},
	{name: "as-ipv6", about: "loopback of IPv6", host: "[::1]", js: `el("img", {src: U})`},
	{name: "as-userinfo", about: "an allowed host as user name", kind: onTop, js: `location = U.replace("//", "//` + Host + `@")`},
	{name: "name-private", about: "an allowed name with a private address", host: Private, js: `el("img", {src: U})`},
	{name: "name-mixed", about: "an allowed name with a public and a private address", host: Mixed, js: `el("img", {src: U})`},
	{name: "name-unlisted", about: "an unlisted name with a private address, over TLS", host: unlistedPrivate, js: `el("img", {src: U.replace("http:", "https:")})`},

	// Navigations of the page itself.
	{name: "top-location", about: "location =", kind: onTop, js: `location = U`},
	{name: "top-replace", about: "location.replace", kind: onTop, js: `location.replace(U)`},
	{name: "top-navigation", about: "navigation.navigate", kind: onTop, js: `navigation.navigate(U)`},
	{name: "top-open", about: "window.open into the page itself", kind: onTop, js: `open(U, "_self")`},
	{name: "top-link", about: "a link", kind: onTop, js: `el("a", {href: U}).click()`},
	{name: "top-download", about: "a link to a download", kind: onTop, js: `el("a", {href: U, download: "x"}).click()`},
	{name: "top-attachment", about: "a download that is redirected", kind: onTop, js: `el("a", {href: "/hop/" + N, download: "x"}).click()`},
	{name: "top-get", about: "a form", kind: onTop, js: `el("form", {action: U}).submit()`},
	{name: "top-post", about: "a form with a body", kind: onTop, js: `el("form", {action: U, method: "POST"}).submit()`},
	{name: "top-meta", about: "a refresh", kind: onTop, js: `el("meta", {httpEquiv: "refresh", content: "0;url=" + U}, document.head)`},
	{name: "top-header", about: "a Refresh header", kind: onTop, js: `location = "/serve/" + N`},
	{name: "top-redirect", about: "a redirect", kind: onTop, js: `location = "/hop/" + N`},
	{name: "top-redirect-post", about: "a form, redirected with its body", kind: onTop, js: `el("form", {action: "/hop/" + N + "?code=308", method: "POST"}).submit()`},
	{name: "top-redirect-chain", about: "the fifth redirect of a chain", kind: onTop, js: `location = "/hop/" + N + "?after=4"`},
	{name: "top-javascript", about: "a javascript: URL", kind: onTop, js: `location = 'javascript:location="' + U + '"'`},
	{name: "top-blob", about: "a blob: page", kind: onTop, js: `location = blob('<img src="' + U + '">', "text/html")`},
	{name: "top-data", about: "a data: page", kind: onTop, barred: true, js: `location = 'data:text/html,<img src="' + U + '">'`},
	{name: "top-from-frame", about: "a frame that moves the page", kind: onTop, js: `el("iframe", {srcdoc: '<script>top.location = "' + U + '"</' + 'script>'})`},
}

// outsideWays returns one way of each navigation kind again, with a host that a page may load
// pictures from but not navigate to.
func outsideWays() []way {
	var out []way
	for _, w := range ways {
		switch w.name {
		case "popup", "popup-blank", "top-location", "top-link", "top-download", "top-post", "top-meta", "top-redirect-chain", "top-from-frame":
			w.name, w.about, w.host = "outside-"+w.name, w.about+", to an unlisted public host", Outside
			out = append(out, w)
		}
	}
	return out
}
