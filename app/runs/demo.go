package runs

import (
	"errand/app/drafts"
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
)

// CodeOtherSetting says that a run was planned in the demo and this is not it, or
// the other way round.
const CodeOtherSetting = "other_setting"

// isOfDemo reports whether a run was planned in the demo.
func isOfDemo(r trace.Run) bool {
	s, err := setting.Read(r.Setting)
	return err == nil && s.Own.Demo
}

// checkDemo refuses to go on in the demo with what was planned for the web, and the
// other way round.
func (rs *Runs) checkDemo(h drafts.Draft, r trace.Run) *tool.Error {
	demo := isOfDemo(r)
	if demo == rs.o.Demo {
		return nil
	}
	what, goOn := "run "+r.RunID, "errand resume "+r.RunID
	if h.ID != "" {
		what, goOn = "draft "+h.ID, "errand approve "+h.ID
	}
	if demo {
		return tool.Errorf(tool.ValidationError, CodeOtherSetting,
			"%s was made in the demo: the sites that it names are pages built into the program, and not those of the web", what).
			WithHint("%s goes on with it in the demo", goOn)
	}
	return tool.Errorf(tool.ValidationError, CodeOtherSetting, "%s was made for the web, and this is the demo", what).
		WithHint("%s goes on with it outside of the demo", goOn)
}
