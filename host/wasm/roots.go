package wasm

import "maps"

// rootsFor returns one plugin's folders by the keys of its [[paths]].
func (h *Host) rootsFor(id string) map[string][]string {
	if h.o.Granted == nil {
		return h.o.Roots
	}
	roots := maps.Clone(h.o.Granted(id))
	if roots == nil {
		return h.o.Roots
	}
	maps.Copy(roots, h.o.Roots) // config overrides what was granted at installation
	return roots
}

// effort returns [Options].Effort of a plugin.
func (h *Host) effort(id string) int {
	if h.o.Effort == nil {
		return 1
	}
	return h.o.Effort(id)
}
