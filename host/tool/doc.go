// Package tool is the noun of doing: what a tool says of itself ([Spec]), one
// call of it ([Call]), what came of the call ([Result]), and the set of tools
// that a program has ([Set]). Plugins, browser actions and the program's own
// tools are all the same here.
//
// It is a leaf: adapters produce tools, the dispatcher calls them, and neither
// knows the other.
package tool
