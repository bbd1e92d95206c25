package wasm

import (
	"maps"
)

// rootsFor maps keys of [[paths]] to folders, for one plugin.
func (h *Host) rootsFor(id string) map[string][]string {
	if h.o.Granted == nil {
		return h.o.Roots
	}
	roots := maps.Clone(h.o.Granted(id))
	if roots == nil {
		return h.o.Roots
	}
	maps.Copy(roots, h.o.Roots) // no installation stands for a key of the config
	return roots
}
