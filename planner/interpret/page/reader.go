// Package page reads commands about the content of a page: its text, its links,
// the results of a search, a picture, a PDF, a download.
package page

import (
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
)

// Reader reads commands about the content of a page.
type Reader struct {
	*parse.Text
	Web      *web.Reader
	Commands parse.Commander
}
