package manifest

import (
	"fmt"

	"errand/host/tool/keyline"
)

// CaseLines returns the line of each case of a manifest, in the order of the
// document; 0 if it has no line of its own.
func CaseLines(doc []byte) []int {
	at := keyline.Lines(doc)
	var lines []int
	for tool := 0; at[fmt.Sprintf("tool[%d]", tool)] > 0; tool++ {
		for n := 0; ; n++ {
			line, ok := at[fmt.Sprintf("tool[%d].case[%d]", tool, n)]
			if !ok {
				break
			}
			lines = append(lines, line)
		}
	}
	return lines
}
