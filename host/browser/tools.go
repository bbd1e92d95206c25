package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"errand/host/tool"
)

// Tools are the browser's actions. open gives the browser of the run, starting
// it where that has not happened yet; the tools never close it.
func Tools(open func(ctx context.Context) (*Browser, error)) []tool.Tool {
	return []tool.Tool{
		tool.Func(tool.Spec{
			Name:        "browser.open",
			Description: "Open a web page in the managed browser and take a picture of it.",
			ArgsSchema: json.RawMessage(`{
				"type": "object",
				"properties": {"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "http or https URL"}},
				"required": ["url"],
				"additionalProperties": false
			}`),
			TimeoutMS:       60_000, // a browser that has to start first included
			RetryProfile:    tool.RetryTransient,
			SideEffectClass: tool.Read,
			Effect:          tool.EffectNavigate,
			CanAchieve:      []string{"browser_navigate"},
			Requires:        []string{"page_open"},
			Effects:         []string{"url_loaded"},
			Untrusted:       true, // the title is the page's
			Source:          "browser",
		}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
			rawURL, ok := call.Args["url"].(string)
			if !ok {
				return tool.Fail(tool.ValidationError, "invalid_args", "open page: url is missing or not a string"), nil
			}
			b, err := open(ctx)
			if err != nil {
				return tool.Result{Error: tool.AsError(err)}, nil
			}
			page, err := b.Open(ctx, rawURL)
			if err != nil {
				return tool.Result{Error: tool.AsError(err)}, nil
			}
			return page.Result(), nil
		}),
	}
}

// Result is what a tool answers that has opened p: its URL, title and status,
// and the picture as an artifact.
func (p Page) Result() tool.Result {
	sum := sha256.Sum256(p.Screenshot)
	r := tool.OK(map[string]any{"url": p.URL, "title": p.Title, "status": p.Status})
	r.Artifacts = []tool.Artifact{{
		Name: "screenshot.png", MediaType: "image/png", Size: int64(len(p.Screenshot)),
		SHA256: hex.EncodeToString(sum[:]), Data: p.Screenshot,
	}}
	r.World = &tool.WorldChange{BrowserLastURL: p.URL}
	return r
}
