package wasm

import "maps"

// rootsWith returns the folders of a plugin that was granted some, by the keys of its
// [[paths]].
func (h *Host) rootsWith(granted map[string][]string) map[string][]string {
	roots := map[string][]string{}
	maps.Copy(roots, granted)
	maps.Copy(roots, h.o.Roots)
	return roots
}

// effort returns [Options].Effort of a plugin.
func (h *Host) effort(id string) int {
	if h.o.Effort == nil {
		return 1
	}
	return h.o.Effort(id)
}
