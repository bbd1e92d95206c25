// Package resident connects Errand's programs with the resident process of the user, which
// owns the visible browser: where its socket is, the messages on it, a client that starts
// the process on first need, and a server.
//
// A connection carries one request. Each message is a JSON document behind its length:
//
//	client: hello          protocol, version of the program, digest of its settings
//	server: Status         the same of the process, and what it does
//	client: Request        a call of a browser tool, or an order to the process
//	server: event …        notes, holds of the call's clock, signs of life
//	server: answer         the result, followed by the bytes of its artifacts
//
// The client cancels a call by closing the connection. Both sides check that the other one
// runs as the same user. Unknown fields are ignored in the first two messages, so that
// different versions can ask each other to end; all others are decoded strictly.
package resident
