// Package web reads commands that open a site, an app or an address, and commands
// that search.
package web

import "errand/planner/interpret/parse"

// Reader reads commands that open sites and apps or search.
type Reader struct {
	*parse.Text
	Commands parse.Commander
	choosing bool // it is reading the right side of an "or"
}
