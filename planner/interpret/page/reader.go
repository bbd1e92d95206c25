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
