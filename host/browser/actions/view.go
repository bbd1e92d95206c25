package actions

import (
	"context"

	"errand/host/browser/address"
	"errand/host/browser/page"
	"errand/host/browser/session"
	"errand/host/tool"
	"errand/host/tool/display"
)

// viewActions returns the actions that change how the page is shown, and save it.
func viewActions() []action {
	return []action{
		{
			name: "zoom", description: "Show the page larger or smaller, until it is left.",
			display: display.Tool{Summary: display.OneOf("percent", "step"), View: display.View{Kind: display.Nothing}},
			schema: takesOne(`"percent": {"type": "integer", "minimum": 25, "maximum": 500, "description": "size of the page"},
				"step": {"enum": ["in", "out", "reset"], "description": "to the next larger or smaller size, or back to 100 percent"}`, "percent", "step"),
			effect: tool.EffectNavigate, achieves: []string{"zoom_page"}, effects: []string{"page_zoomed"},
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				percent, err := session.Zoom(ctx, t, a.text("step"), a.number("percent", 0))
				return tool.OK(map[string]any{"percent": percent}), err
			},
		},
		{
			name: "show_text", description: "Count the places of the page that have a text, and scroll to one.",
			display: display.Tool{Summary: display.OneOf("text"), View: display.View{Kind: display.Sentence, Params: []string{"text", "total"}}},
			schema: takes(`"text": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "part of the page's text, in any case"},
				"nth": {"type": "integer", "minimum": 1, "maximum": 10000, "description": "which of the places to scroll to; default 1"}`, "text"),
			effect: tool.EffectNavigate, achieves: []string{"find_on_page"}, effects: []string{"text_shown"},
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				found, err := session.ShowText(ctx, t, a.text("text"), a.number("nth", 1))
				if err != nil {
					return tool.Result{}, err
				}
				return tool.OK(map[string]any{"text": a.text("text"), "total": found.Total, "place": found.Place, "context": address.Clip(found.Context)}), nil
			},
		},
		{
			name: "save", description: "Save the page as it is now, as HTML or plain text.",
			display: display.Tool{Summary: display.OneOf("as"), View: display.View{Kind: display.Document}},
			schema:  takes(`"as": {"enum": ["html", "text"], "description": "form of the file"}`, "as"),
			effect:  tool.EffectRead, achieves: []string{"save_html", "save_text"}, effects: []string{"html_saved", "text_saved"}, do: savePage,
		},
	}
}

// savePage returns the page as a file.
func savePage(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	if a.text("as") == "text" {
		r, err := readText(ctx, t, args{"max": maxTextChars}, call)
		if err != nil {
			return r, err
		}
		payload := r.Payload.(map[string]any)
		text, _ := payload["text"].(string)
		delete(payload, "text")
		r.Artifacts = []tool.Artifact{tool.NewArtifact("page.txt", "text/plain", []byte(text+"\n"))}
		return r, nil
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	html, err := session.Source(ctx, t)
	if err != nil {
		return tool.Result{}, err
	}
	r := tool.OK(payload)
	r.Artifacts = []tool.Artifact{tool.NewArtifact("page.html", "text/html", []byte(html))}
	return r, nil
}
