// Package tool describes tools: the description of a tool ([Spec]), one call of it
// ([Call]), the result of the call ([Result]), and the tools of a program ([Set]).
// Plugins, browser actions and built-in tools all have the same form.
//
// It is a leaf package. Adapters provide tools and the dispatcher calls them; neither
// depends on the other.
package tool
