package page

import (
	"net/url"

	"errand/host/tool"
)

// Result returns the result of a tool that opened p: its URL, title and status, and the
// screenshot as an artifact if there is one.
func (p Page) Result() tool.Result {
	r := tool.OK(map[string]any{"url": p.URL, "title": p.Title, "status": p.Status})
	if p.Screenshot != nil {
		r.Artifacts = []tool.Artifact{tool.NewArtifact("screenshot.png", "image/png", p.Screenshot)}
	}
	r.World = &tool.WorldChange{BrowserLastURL: p.URL}
	if u, err := url.Parse(p.URL); err == nil && u.Hostname() != "" {
		r.From = []string{u.Hostname()}
	}
	return r
}
