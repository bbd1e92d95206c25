package page

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"errand/host/tool"
)

// Artifact makes an artifact of data from a page.
func Artifact(name, mediaType string, data []byte) tool.Artifact {
	sum := sha256.Sum256(data)
	return tool.Artifact{
		Name: name, MediaType: mediaType, Size: int64(len(data)),
		SHA256: hex.EncodeToString(sum[:]), Data: data,
	}
}

// Result returns the result of a tool that opened p: its URL, title and status, and the
// screenshot as an artifact.
func (p Page) Result() tool.Result {
	r := tool.OK(map[string]any{"url": p.URL, "title": p.Title, "status": p.Status})
	r.Artifacts = []tool.Artifact{Artifact("screenshot.png", "image/png", p.Screenshot)}
	r.World = &tool.WorldChange{BrowserLastURL: p.URL}
	if u, err := url.Parse(p.URL); err == nil && u.Hostname() != "" {
		r.From = []string{u.Hostname()}
	}
	return r
}
