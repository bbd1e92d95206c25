// Package web shows the window's page in a browser: `errand serve`. It is the
// same front end over the same [desktop.API], so that the two can't differ.
//
// # Protocol
//
// The server listens on loopback. The URL that it prints carries a random token
// in its fragment, which no server, proxy or log sees:
//
//	http://127.0.0.1:7341/#token=…
//
// The page takes the token out of the fragment, trades it for two keys and keeps
// those in its session storage, which no other origin reads, another port of this
// machine included. Nothing but the page itself (index.html and assets/, which
// hold no secret) is answered without one of them:
//
//	POST /api/session      {"token": "…"}                 → 200 {"call": "…", "view": "…"}
//	POST /api/<Method>     ["first argument", …]          → 200 {"result": …}
//	     Authorization: Bearer <call>                     → 4xx, 5xx {"error": Failure}
//	GET  /api/events?key=<view>&after=<id>                → text/event-stream
//	GET  /artifacts/<run>/<step>/<name>?key=<view>        → a picture
//
// There is no cookie: one would be sent to every port of this machine, also to
// another person's server. With nothing that a browser sends by itself no page of
// another site can make a call. All the same a request is refused whose Host is
// no loopback name, so that no foreign name can be made to lead here, whose Origin
// or Sec-Fetch-Site is another site's, or whose body is not application/json.
//
// <Method> is a method of [desktop.API]; the body is the JSON list of its
// arguments, and "result" is null for a method that answers nothing. 400: the body
// is no such list. 401: no key, or one of another server: the printed URL has to be
// opened. 403: another site asks. 404: no such method. 409: the program says no,
// or wants something else first. 413: more than 1 MiB. 415: no JSON. 500: it could
// not do it. 503: what it takes is not to be had, such as a plugin that was changed
// or a browser. 504: it took too long. Each of them has a Failure in its body.
//
// # Events
//
// The stream sends what [desktop.Face.Emit] is given, in order:
//
//	id: 6Q3K-17
//	event: run
//	data: {"run_id": "…", "seq": 3, …}
//
// The browser sends the last id that it saw when it connects again
// (Last-Event-ID; "after" stands in for it), and is sent what came after. Where
// that is no longer known, because too much has happened since or the server is
// another one, the stream begins with
//
//	event: lost
//	data: {}
//
// and the page asks anew for what it shows: [desktop.API.Start], and
// [desktop.API.Get] for a run. A comment line comes every 15 seconds.
package web
