// Package waysout is the site of the egress test. It has pages that try every way in which
// a page can contact a server, with servers that must stay unreachable. It shows on the
// current machine, with the installed browser, that the network boundary works.
//
// # How attempts are identified
//
// Each way has its own forbidden server on loopback, for TCP and UDP on one port number.
// Everything that arrives there is a hit of that way, even if it isn't HTTP. The port in
// the record of a refused request identifies the way. The page reports which ways it has
// tried, so that a browser that does nothing can't pass.
//
// # What else is forbidden
//
// Ways to [Outside] start from a page that has loaded a picture from there, as pages may
// by default. Only the picture is allowed, no navigation.
//
// The site uses only loopback and made-up names. It doesn't need a network.
package waysout
