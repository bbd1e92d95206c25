// Package web shows the window's page in a browser: `errand serve`. It is the
// same front end over the same [desktop.API], so that the two can't differ.
//
// # Protocol
//
// The server listens on loopback. The URL that it prints carries a random token
// in its fragment, which no server or proxy sees:
//
//	http://127.0.0.1:7341/#token=…
//
// Everything but the page itself (index.html and assets/, which hold no secret)
// needs that token. The page takes it out of the fragment, once, and trades it
// for a cookie:
//
//	POST /api/session      {"token": "…"}             → 204, Set-Cookie: errand=…; HttpOnly; SameSite=Strict; Path=/
//	POST /api/<Method>     ["first argument", …]      → 200 {"result": …}
//	                                                  → 4xx, 5xx {"error": Failure}
//	GET  /api/events?after=<id>                       → text/event-stream
//	GET  /artifacts/<run>/<step>/<name>               → a picture
//
// A program without cookies sends "Authorization: Bearer <token>" in place of
// them. Each POST has "Content-Type: application/json" and, from a browser, an
// Origin that is the server's own; anything else is refused, as is a Host that is
// no name of this machine's loopback. A page of another site can therefore
// neither send a call nor read an answer, also where it has its own name lead to
// 127.0.0.1.
//
// <Method> is a method of [desktop.API]; the body is the JSON list of its
// arguments, and "result" is null for a method that answers nothing. Status 401:
// there is no session, and the page asks for the printed URL. 404: no such
// method, or an id that is not there. 400: arguments of another shape. 409: the
// program said no to this call; 413: more than 1 MiB; 500: it could not do it.
//
// # Events
//
// The stream sends what [desktop.Face.Emit] is given, in order:
//
//	id: 17
//	event: run
//	data: {"run_id": "…", "seq": 3, …}
//
// The browser sends the last id that it saw when it connects again
// (Last-Event-ID), and is sent what came after. Where that is no longer known,
// because too much has happened or the server is another one, the stream begins
// with
//
//	event: lost
//	data: {}
//
// and the page asks anew for what it shows: [desktop.API.Start], and
// [desktop.API.Get] for a run. A comment line comes every 15 seconds.
package web
