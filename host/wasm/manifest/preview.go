package manifest

import (
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// checkPreview checks the tool that a tool names in preview.
func (m *Manifest) checkPreview(f *problems, at string, where toolPlace, t Tool) {
	if t.Preview == "" {
		return
	}
	require := func(ok bool, fault message.Message) { f.require(ok, at+".preview", where.problem(fault)) }
	require(t.SideEffectClass != tool.Read, message.New("manifest.preview_of_read"))
	require(slices.ContainsFunc(m.Tools, func(o Tool) bool { return o.Name == t.Preview && o.SideEffectClass == tool.Read }),
		message.New("manifest.preview_no_reader", "name", t.Preview))
}
