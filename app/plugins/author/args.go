package author

import (
	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/planner/message"
)

// checkArgs checks arguments against a tool's schema, as a run does. `errand tools` doesn't
// know a tool in its author's folder.
func checkArgs(p plugins.Place, spec tool.Spec, args map[string]any) *tool.Error {
	c := schema.Checker{}
	if p.IsAuthorFolder {
		c.Display = message.New("schema.see_manifest")
	}
	return c.Check(spec, args)
}
