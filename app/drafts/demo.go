package drafts

import (
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// CodeOtherSetting is the error for a run that was planned in the demo and is resumed outside
// of it, or the other way around.
const CodeOtherSetting = "other_setting"

// isOfDemo reports whether a run was planned in the demo.
func isOfDemo(r trace.Run) bool {
	s, err := setting.Read(r.Setting)
	return err == nil && s.Run.Demo
}

// CheckDemo refuses to continue in the demo what was planned for the web, and the other way
// round. h may be zero.
func (ds *Drafts) CheckDemo(h Draft, r trace.Run) *tool.Error {
	demo := isOfDemo(r)
	if demo == ds.demo {
		return nil
	}
	kind, id, command := "run", r.RunID, "errand resume "+r.RunID
	if h.ID != "" {
		kind, id, command = "draft", h.ID, "errand approve "+h.ID
	}
	if demo {
		return tool.NewError(tool.ValidationError, CodeOtherSetting, message.New("runs.made_in_demo", "kind", kind, "id", id)).
			WithHint(message.New("runs.made_in_demo_hint", "command", command))
	}
	return tool.NewError(tool.ValidationError, CodeOtherSetting, message.New("runs.made_for_web", "kind", kind, "id", id)).
		WithHint(message.New("runs.made_for_web_hint", "command", command))
}
