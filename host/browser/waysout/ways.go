package waysout

// kind says where a way is tried.
type kind int

const (
	inPage kind = iota // in one page with all others, once without and once with TLS
	secure             // the same, for ways that require TLS
	popup              // the same, and again for each click on the page
	onTop              // in its own page, because it leaves the page
)

// route is one way for a page to contact a server. js is the body of a function with the
// variables
//
//	U  the URL of the way's forbidden server, http://127.0.0.1:40123/fetch
//	W  the same with ws://
//	H  its host and port
//	N  the way's name
//
// and the helpers of page.html.
type route struct {
	name        string
	description string
	kind        kind
	js          string

	host          string // the page's spelling of the forbidden server; "": 127.0.0.1
	reportsItself bool   // the way itself reports that it was tried
	barred        bool   // all versions of Chromium refuse it; tried anyway
}

// routes has all ways. A worker reports its own part.
var routes = []route{
	// Resources of a document.
	{name: "img", description: "a picture", js: `el("img", {src: U})`},
	{name: "srcset", description: "a picture by srcset", js: `el("img", {srcset: U + " 1x"})`},
	{name: "script", description: "a script", js: `el("script", {src: U})`},
	{name: "import", description: "import() of a module", js: `import(U)`},
	{name: "modulepreload", description: "a module loaded ahead", js: `el("link", {rel: "modulepreload", href: U})`},
	{name: "stylesheet", description: "a style sheet", js: `el("link", {rel: "stylesheet", href: U})`},
	{name: "css-import", description: "@import in a style sheet", js: `el("style", {textContent: '@import url("' + U + '");'})`},
	{name: "css-background", description: "a background picture", js: `el("div", {textContent: "x", style: 'background:url("' + U + '")'})`},
	{name: "css-font", description: "a font", js: `el("style", {textContent: '@font-face{font-family:f;src:url("' + U + '")}'}); el("p", {textContent: "x", style: "font-family:f"})`},
	{name: "svg-image", description: "a picture within SVG", js: `el("div", {innerHTML: '<svg><image href="' + U + '"/></svg>'})`},
	{name: "input-image", description: "a button's picture", js: `el("input", {type: "image", src: U})`},
	{name: "video", description: "a film", js: `el("video", {src: U, preload: "auto"})`},
	{name: "video-poster", description: "a film's still", js: `el("video", {poster: U})`},
	{name: "audio", description: "a sound", js: `el("audio", {src: U, preload: "auto"})`},
	{name: "track", description: "a film's subtitles", js: `const v = el("video", {src: "/film", crossOrigin: "anonymous"}); el("track", {src: U, default: true, kind: "subtitles"}, v); v.textTracks[0].mode = "showing"`},
	{name: "object", description: "an object", js: `el("object", {data: U})`},
	{name: "embed", description: "an embedded object", js: `el("embed", {src: U})`},
	{name: "icon", description: "the page's icon", js: `el("link", {rel: "icon", href: U}, document.head)`},
	{name: "manifest", description: "the page's manifest", js: `el("link", {rel: "manifest", href: U}, document.head)`},

	// Frames.
	{name: "iframe", description: "a frame", js: `el("iframe", {src: U})`},
	{name: "frame-srcdoc", description: "a picture in a frame without an address", js: `el("iframe", {srcdoc: '<img src="' + U + '">'})`},
	{name: "frame-data", description: "a picture in a data: frame", js: `el("iframe", {src: 'data:text/html,<img src="' + U + '">'})`},
	{name: "frame-blob", description: "a picture in a blob: frame", js: `el("iframe", {src: blob('<img src="' + U + '">', "text/html")})`},
	{name: "frame-javascript", description: "a javascript: frame that goes away", js: `el("iframe", {src: 'javascript:location="' + U + '"'})`},
	{name: "frame-meta", description: "a frame that refreshes itself elsewhere", js: `el("iframe", {srcdoc: '<meta http-equiv=refresh content="0;url=' + U + '">'})`},
	{name: "frame-header", description: "the same by a Refresh header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "frame-form", description: "a form posted into a frame", js: `el("iframe", {name: N}); el("form", {action: U, method: "POST", target: N}).submit()`},
	{name: "frame-redirect", description: "a frame that is redirected", js: `el("iframe", {src: "/hop/" + N})`},

	// Requests of a script.
	{name: "fetch", description: "fetch", js: `fetch(U, {mode: "no-cors"})`},
	{name: "fetch-keepalive", description: "fetch that outlives the page", js: `fetch(U, {mode: "no-cors", keepalive: true, method: "POST", body: "x"})`},
	{name: "fetch-preflight", description: "the question before a PUT", js: `fetch(U, {method: "PUT", headers: {"X-A": "1"}})`},
	{name: "xhr", description: "XMLHttpRequest", js: `const x = new XMLHttpRequest(); x.open("GET", U); x.send()`},
	{name: "beacon", description: "sendBeacon", js: `navigator.sendBeacon(U, "x")`},
	{name: "ping", description: "a link's ping", js: `el("a", {href: "#x", ping: U}).click()`},
	{name: "eventsource", description: "EventSource", js: `new EventSource(U)`},
	{name: "websocket", description: "WebSocket", js: `new WebSocket(W)`},
	{name: "socket-denied", description: "WebSocket of an allowed host whose WebSockets are not", host: NoSockets, js: `new WebSocket(W)`},
	{name: "socket-denied-worker", description: "the same of a worker", host: NoSockets, reportsItself: true, js: `new Worker(work(N, socketOf(W)))`},
	{name: "socket-denied-shared", description: "the same of a shared worker", host: NoSockets, reportsItself: true, js: `new SharedWorker(work(N, socketOf(W)))`},
	{name: "socket-denied-frame", description: "the same of a frame without an address", host: NoSockets, js: `el("iframe", {srcdoc: '<script>new WebSocket("' + W + '")</' + 'script>'})`},
	{name: "socket-path", description: "WebSocket with a denied path", host: NoPath, js: `new WebSocket(W.replace("/socket-path", "//SOCKET-PATH/x"))`},
	{name: "worklet", description: "a paint worklet", js: `CSS.paintWorklet.addModule(U)`, kind: secure},
	{name: "webrtc-stun", description: "WebRTC, STUN over UDP", js: `rtc({urls: "stun:" + H})`},
	{name: "webrtc-turn-udp", description: "WebRTC, TURN over UDP", js: `rtc({urls: "turn:" + H + "?transport=udp", username: "u", credential: "p"})`},
	{name: "webrtc-turn-tcp", description: "WebRTC, TURN over TCP", js: `rtc({urls: "turn:" + H + "?transport=tcp", username: "u", credential: "p"})`},
	{name: "webrtc-turn-tls", description: "WebRTC, TURN over TLS", js: `rtc({urls: "turns:" + H + "?transport=tcp", username: "u", credential: "p"})`},
	{name: "webtransport", description: "WebTransport over QUIC", js: `new WebTransport("https://" + H + "/")`, kind: secure},

	// Requests that the browser makes in advance or on behalf of the page.
	{name: "prefetch", description: "a prefetch", js: `el("link", {rel: "prefetch", href: U})`},
	{name: "preload", description: "a preload", js: `el("link", {rel: "preload", as: "image", href: U})`},
	{name: "preload-header", description: "a preload by a Link header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "preconnect", description: "a connection made ahead", js: `el("link", {rel: "preconnect", href: U})`},
	{name: "preconnect-header", description: "the same by a Link header", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "speculation-prefetch", description: "a page fetched ahead by speculation rules", kind: secure, js: `speculate({prefetch: [{urls: [U]}]})`},
	{name: "speculation-prerender", description: "a picture in a page that speculation rules draw ahead", kind: secure, js: `speculate({prerender: [{urls: ["/serve/" + N]}]})`},
	{name: "csp-report", description: "a report of a content policy", js: `el("iframe", {src: "/serve/" + N})`},
	{name: "reporting", description: "a report of the Reporting API", kind: secure, js: `const f = () => el("iframe", {src: "/serve/" + N}); f(); setTimeout(f, 1500)`},
	{name: "nel", description: "a report of a network error", kind: secure, js: `fetch("/serve/" + N).then(() => fetch("/cut"))`},

	// Redirects of an allowed host.
	{name: "redirect", description: "fetch, redirected", js: `fetch("/hop/" + N, {mode: "no-cors"})`},
	{name: "redirect-307", description: "a POST, redirected with its body", js: `fetch("/hop/" + N + "?code=307", {mode: "no-cors", method: "POST", body: "x"})`},
	{name: "redirect-chain", description: "the fifth redirect of a chain", js: `fetch("/hop/" + N + "?after=4", {mode: "no-cors"})`},
	{name: "redirect-img", description: "a picture, redirected", js: `el("img", {src: "/hop/" + N})`},

	// Workers.
	{name: "worker-fetch", description: "fetch of a worker", reportsItself: true, js: `new Worker(work(N, fetchOf(U)))`},
	{name: "worker-import", description: "importScripts of a worker", reportsItself: true, js: `new Worker(work(N, importOf(U)))`},
	{name: "worker-websocket", description: "WebSocket of a worker", reportsItself: true, js: `new Worker(work(N, socketOf(W)))`},
	{name: "shared-fetch", description: "fetch of a shared worker", reportsItself: true, js: `new SharedWorker(work(N, fetchOf(U)))`},
	{name: "shared-import", description: "importScripts of a shared worker", reportsItself: true, js: `new SharedWorker(work(N, importOf(U)))`},
	{name: "shared-websocket", description: "WebSocket of a shared worker", reportsItself: true, js: `new SharedWorker(work(N, socketOf(W)))`},
	{name: "service-fetch", description: "fetch of a service worker", reportsItself: true, kind: secure, js: `serve(N)`},
	{name: "service-import", description: "importScripts of a service worker", reportsItself: true, kind: secure, js: `serve(N)`},
	{name: "service-websocket", description: "WebSocket of a service worker", reportsItself: true, kind: secure, js: `serve(N)`},
	{name: "service-redirect", description: "a service worker that redirects a frame", kind: secure, js: `serve(N).then(() => el("iframe", {src: "/sw/" + N + "/page"}))`},
	{name: "service-preload", description: "the navigation preload of a service worker", kind: secure, js: `serve(N).then(() => el("iframe", {src: "/sw/" + N + "/page"}))`},

	// Windows.
	{name: "popup", description: "window.open", kind: popup, js: `open(U)`},
	{name: "popup-noopener", description: "the same, cut off from its opener", kind: popup, js: `open(U, "", "noopener")`},
	{name: "popup-blank", description: "an empty window that goes elsewhere", kind: popup, js: `open("about:blank").location = U`},
	{name: "popup-link", description: "a link to a new window", kind: popup, js: `el("a", {href: U, target: "_blank"}).click()`},
	{name: "popup-form", description: "a form posted into a new window", kind: popup, js: `el("form", {action: U, method: "POST", target: "_blank"}).submit()`},

	// Spellings of loopback, and names that resolve to it.
	{name: "as-localhost", description: "localhost", host: "localhost", js: `el("img", {src: U})`},
	{name: "as-localhost-dot", description: "localhost with a final dot", host: "localhost.", js: `el("img", {src: U})`},
	{name: "as-sub-localhost", description: "a name under localhost", host: "a.localhost", js: `el("img", {src: U})`},
	{name: "as-decimal", description: "the address as one number", host: "2130706433", js: `el("img", {src: U})`},
	{name: "as-hex", description: "the address in hexadecimal", host: "0x7f000001", js: `el("img", {src: U})`},
	{name: "as-octal", description: "the address in octal", host: "0177.0.0.1", js: `el("img", {src: U})`},
	{name: "as-short", description: "the address shortened", host: "127.1", js: `el("img", {src: U})`},
	{name: "as-full-width", description: "the address with full-width dots", host: "127。0。0。1", js: `el("img", {src: U})`},
	{name: "as-circled", description: "the address in circled digits", host: "①②⑦.⓪.⓪.①", js: `el("img", {src: U})`},
	{name: "as-zero", description: "0.0.0.0", host: "0.0.0.0", js: `el("img", {src: U})`},
	{name: "as-mapped", description: "the address mapped into IPv6", host: "[::ffff:127.0.0.1]", js: `el("img", {src: U})`},
	{name: "as-ipv6", description: "loopback of IPv6", host: "[::1]", js: `el("img", {src: U})`},
	{name: "as-userinfo", description: "an allowed host as user name", kind: onTop, js: `location = U.replace("//", "//` + Host + `@")`},
	{name: "name-private", description: "an allowed name with a private address", host: Private, js: `el("img", {src: U})`},
	{name: "name-mixed", description: "an allowed name with a public and a private address", host: Mixed, js: `el("img", {src: U})`},
	{name: "name-unlisted", description: "an unlisted name with a private address, over TLS", host: unlistedPrivate, js: `el("img", {src: U.replace("http:", "https:")})`},

	// Navigations of the page itself.
	{name: "top-location", description: "location =", kind: onTop, js: `location = U`},
	{name: "top-replace", description: "location.replace", kind: onTop, js: `location.replace(U)`},
	{name: "top-navigation", description: "navigation.navigate", kind: onTop, js: `navigation.navigate(U)`},
	{name: "top-open", description: "window.open into the page itself", kind: onTop, js: `open(U, "_self")`},
	{name: "top-link", description: "a link", kind: onTop, js: `el("a", {href: U}).click()`},
	{name: "top-download", description: "a link to a download", kind: onTop, js: `el("a", {href: U, download: "x"}).click()`},
	{name: "top-attachment", description: "a download that is redirected", kind: onTop, js: `el("a", {href: "/hop/" + N, download: "x"}).click()`},
	{name: "top-get", description: "a form", kind: onTop, js: `el("form", {action: U}).submit()`},
	{name: "top-post", description: "a form with a body", kind: onTop, js: `el("form", {action: U, method: "POST"}).submit()`},
	{name: "top-meta", description: "a refresh", kind: onTop, js: `el("meta", {httpEquiv: "refresh", content: "0;url=" + U}, document.head)`},
	{name: "top-header", description: "a Refresh header", kind: onTop, js: `location = "/serve/" + N`},
	{name: "top-redirect", description: "a redirect", kind: onTop, js: `location = "/hop/" + N`},
	{name: "top-redirect-post", description: "a form, redirected with its body", kind: onTop, js: `el("form", {action: "/hop/" + N + "?code=308", method: "POST"}).submit()`},
	{name: "top-redirect-chain", description: "the fifth redirect of a chain", kind: onTop, js: `location = "/hop/" + N + "?after=4"`},
	{name: "top-javascript", description: "a javascript: URL", kind: onTop, js: `location = 'javascript:location="' + U + '"'`},
	{name: "top-blob", description: "a blob: page", kind: onTop, js: `location = blob('<img src="' + U + '">', "text/html")`},
	{name: "top-data", description: "a data: page", kind: onTop, barred: true, js: `location = 'data:text/html,<img src="' + U + '">'`},
	{name: "top-from-frame", description: "a frame that moves the page", kind: onTop, js: `el("iframe", {srcdoc: '<script>top.location = "' + U + '"</' + 'script>'})`},
}

// outsideWays returns one way of each navigation kind again, with a host that a page may load
// pictures from but not navigate to.
func outsideWays() []route {
	var out []route
	for _, w := range routes {
		switch w.name {
		case "popup", "popup-blank", "top-location", "top-link", "top-download", "top-post", "top-meta", "top-redirect-chain", "top-from-frame":
			w.name, w.description, w.host = "outside-"+w.name, w.description+", to an unlisted public host", Outside
			out = append(out, w)
		}
	}
	return out
}
