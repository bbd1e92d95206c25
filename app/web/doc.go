// Package web implements `errand serve`, which shows the window's page in a browser. It
// uses the same front end and the same [desktop.API] as the window.
//
// # Protocol
//
// The server listens on loopback. The URL that it prints carries a random token in its
// fragment, which servers, proxies and logs never see:
//
//	http://127.0.0.1:7341/#token=…
//
// The page removes the token from the fragment and exchanges it for two keys. It stores
// them in its session storage, which other origins can't read, including other ports of
// this machine. Every request needs a key, except for the page itself (index.html and
// assets/, which contain no secrets):
//
//	POST /api/session      {"token": "…"}                 → 200 {"call": "…", "view": "…"}
//	POST /api/<Method>     ["first argument", …]          → 200 {"result": …}
//	     Authorization: Bearer <call>                     → 4xx, 5xx {"error": Failure}
//	GET  /api/events?key=<view>&after=<id>                → text/event-stream
//	GET  /artifacts/<run>/<step>/<name>?key=<view>        → a picture
//
// The server doesn't use cookies: browsers send them to every port of this machine, even
// to another user's server. A page of another site can't make calls, because browsers
// don't send the keys by themselves. As a second line of defence the server rejects a
// request if its Host is not a loopback name, which prevents DNS rebinding, if its Origin
// or Sec-Fetch-Site is another site, or if its body is not application/json.
//
// <Method> is a method of [desktop.API]. The body is the JSON array of its arguments, and
// "result" is null for a method without a result. The status codes are:
//
//	400  the body is not a valid list of arguments, or an upload is incomplete or its name bad
//	401  the key is missing or belongs to another server; open the printed URL
//	403  the request comes from another site
//	404  there is no such method
//	409  the program refuses, or needs something else first
//	413  the body exceeds 1 MiB, or an uploaded plugin 64 MiB
//	415  the body is not JSON
//	500  the operation failed
//	503  something required is unavailable, such as a browser or a changed plugin
//	504  the operation timed out
//
// Each of these responses has a Failure in its body.
//
// # Events
//
// The stream sends the events of [desktop.Face.Emit] in order:
//
//	id: 6Q3K-17
//	event: run
//	data: {"run_id": "…", "seq": 3, …}
//
// When the browser reconnects, it sends the last id that it saw in Last-Event-ID; "after"
// is an alternative to that header. The server then sends the events that followed. If it
// no longer has them, or another server issued the id, the stream starts with
//
//	event: lost
//	data: {}
//
// The page then reloads its state with [desktop.API.Start], and with [desktop.API.Get] for
// a run. The server sends a comment line every 15 seconds.
package web
