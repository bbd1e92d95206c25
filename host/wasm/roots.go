package wasm

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// rootsWith returns the folders of a plugin that was granted some, by the keys of its
// [[paths]].
func (h *Host) rootsWith(granted map[string][]string) map[string][]string {
	roots := map[string][]string{}
	maps.Copy(roots, granted)
	maps.Copy(roots, h.o.Roots)
	return roots
}

// fileRoots is the key of [[paths]] for the folders in which file tools work.
const fileRoots = "files.roots"

// ToolsWith is [Plugin.Tools] with further folders, absolute and clean, for the plugin's
// files.roots. A plugin that keeps state gets none, because its calls share an instance.
func (p *Plugin) ToolsWith(folders []string) []tool.Tool { return p.with(folders).Tools() }

// with returns the plugin with further folders. It shares everything else with p.
func (p *Plugin) with(folders []string) *Plugin {
	if len(folders) == 0 || p.manifest.State == manifest.Sticky || !slices.Contains(p.roots.keys, fileRoots) {
		return p
	}
	wide := *p
	wide.roots.list = slices.Clone(p.roots.list)
	for _, path := range p.manifest.Paths {
		for _, folder := range folders {
			if path.Root == fileRoots && filepath.IsAbs(folder) {
				wide.roots.list = append(wide.roots.list, root{
					host: filepath.Clean(folder), guest: guestRoot + strconv.Itoa(len(wide.roots.list)), readOnly: path.Mode != "rw", path: path,
				})
			}
		}
	}
	wide.granted = folders
	return &wide
}

// kindSeparator is between the kind of an instance and the further folders that it has. No path
// contains it.
const kindSeparator = "\x00"

// kindWith returns the kind of the instances of a kind that have the plugin's further folders.
func (p *Plugin) kindWith(kind string) string {
	return strings.Join(append([]string{kind}, p.granted...), kindSeparator)
}

// ofKind is the plugin with the further folders of instances of a kind.
func (p *Plugin) ofKind(kind string) *Plugin {
	return p.with(strings.Split(kind, kindSeparator)[1:])
}

// effort returns [Options].Effort of a plugin.
func (h *Host) effort(id string) int {
	if h.o.Effort == nil {
		return 1
	}
	return h.o.Effort(id)
}
