package browser

import (
	"strings"

	"errand/host/tool"
)

// one says which of the keys is there; exactly one has to be.
func (a args) one(keys ...string) (string, error) {
	var has []string
	for _, k := range keys {
		if a.has(k) {
			has = append(has, k)
		}
	}
	if len(has) != 1 {
		return "", tool.Errorf(tool.ValidationError, "invalid_args", "it takes exactly one of %s, and has %d of them", strings.Join(keys, ", "), len(has))
	}
	return has[0], nil
}
