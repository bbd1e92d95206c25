// Package guard enforces policy on the network. It is the only place in the program that
// opens outgoing connections: through an [http.Client] for tools, a [Dialer] for clients
// of other protocols, and a forward proxy for the browser.
//
// Every connection takes the same steps. Policy decides the URL. The name is resolved
// once, and policy decides every address of the answer. The guard dials one of these
// addresses and checks it again right before connect and after it. Policy decides
// redirects one by one. Proxies of the environment are not used, because they would dial
// addresses that were not checked.
//
// A refusal is a [DeniedError], a name without an address a [ResolveError].
package guard
