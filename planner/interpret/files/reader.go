// Package files reads commands that create or delete files and folders.
package files

import "errand/planner/interpret/parse"

// Reader reads commands that create or delete files and folders.
type Reader struct{ *parse.Text }
