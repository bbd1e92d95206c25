// Package guard puts policy on the wire. It is the only place in the program
// that opens outgoing connections: an [http.Client] for tools, a [Dialer] for
// clients with a protocol of their own, and a forward proxy that a browser is
// forced through.
//
// Every connection takes the same way. The URL is decided; the name is
// resolved once; every address of the answer is decided; one of those
// addresses is dialled, and is looked at once more between the socket's
// creation and its connect, and after it. Redirects are decided hop by hop.
// No proxy of the environment is used: it would do the dialling unseen.
//
// A refusal is a [DeniedError], a name without an address a [ResolveError].
package guard
