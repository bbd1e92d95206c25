// Package waysout is the site of the egress test: a page that an errand may
// open, and that then tries every way out that a page has, towards servers
// which nothing may reach. It proves on the machine at hand, with the browser
// that is installed there, that the network boundary holds.
//
// # How a way is told from another
//
// Each way has a forbidden server of its own on loopback, TCP and UDP on one
// port number. Whatever arrives there is a hit of that way, whether or not it
// was HTTP; and a port that shows up in a record of what was stopped says whose
// attempt it was. A page tells the site which ways it has tried, so that a
// browser that does nothing can't pass.
//
// # What else is forbidden
//
// Ways that end at [Outside] start from a page that has loaded a picture from
// there, as a page may by default: only the picture may come, no navigation.
//
// The site is loopback and made-up names alone. Nothing of it needs, or
// reaches, a network.
package waysout
