package wasm

import (
	"maps"
	"slices"

	"errand/host/wasm/manifest"
)

// reserved refuses the ids of the program's own parts.
func (h *Host) reserved(id string) error {
	if !slices.Contains(h.o.Reserved, id) {
		return nil
	}
	return unavailable("reserved_id", "the plugin's id %q is taken by a part of the program", id).
		WithHint("give the plugin another id in %s, and name its tools after it", manifest.File)
}

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
