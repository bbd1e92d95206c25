package actions

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Limits of the reading actions.
const (
	textChars    = 20_000
	maxTextChars = 200_000
	linkCount    = 100
	linkMaxCount = 1000
	rowCount     = 50
	picturePx    = 16_384 // height of a picture of a whole page, the maximum of Chromium's textures
	pdfBytes     = 50 << 20
	pdfTimeout   = 20 * time.Second
)

// readActions returns the actions that extract a page's content.
func readActions() []action {
	return []action{
		{
			name: "read_text", description: "Read the text of the page and its frames, or of an element.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Lines, Key: "text"}, EmptyPart: true},
			schema: takes(`"locator": LOCATOR,
				"max": {"type": "integer", "minimum": 1, "maximum": 200000, "description": "characters; default 20000"}, ` + timeoutSchema),
			effect: tool.EffectRead, do: readText, achieves: []string{"read_page"}, effects: []string{"page_read"},
		},
		{
			name: "links", description: "List the links of the page: their texts and where they lead.",
			display: display.Tool{Summary: display.OneOf("filter"), View: display.View{Kind: display.List, Key: "links", Label: "text"}, NotFound: true},
			schema: takes(`"filter": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "part of the text or the URL, in any case"},
				"max": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "default 100"}`),
			effect: tool.EffectRead, do: links, achieves: []string{"list_links"}, effects: []string{"links_listed"},
		},
		{
			name: "extract", description: "Read rows of a list or table: every element that the locator names is one, and fields say what of it.",
			display: display.Tool{Summary: display.OneOf("rows"), View: display.View{Kind: display.Table, Key: "rows"}},
			schema: takes(`"rows": LOCATOR,
				"fields": {"type": "object", "description": "the columns of the result, by name", "minProperties": 1, "maxProperties": 30, "additionalProperties": {"type": "object",
					"description": "what of the row, one of css, test_id, column and role, or its own text; an attribute in place of the text; all of several",
					"properties": {"css": {"type": "string", "minLength": 1, "maxLength": 1024}, "test_id": {"type": "string", "minLength": 1, "maxLength": 1024},
						"column": {"type": "string", "minLength": 1, "maxLength": 256, "description": "heading of the table's column"},
						"role": {"type": "string", "minLength": 1, "maxLength": 64}, "name": {"type": "string", "maxLength": 1024},
						"attr": {"type": "string", "minLength": 1, "maxLength": 64, "description": "such as href"}, "all": {"type": "boolean"}},
					"additionalProperties": false}},
				"max": {"type": "integer", "minimum": 1, "maximum": 500, "description": "rows; default 50"}, `+timeoutSchema, "rows", "fields"),
			effect: tool.EffectRead, do: extract,
		},
		{
			name: "screenshot", description: "Take a picture of what the window shows, of the whole page, or of an element.",
			display: display.Tool{Summary: display.OneOf("locator"), View: display.View{Kind: display.Picture}},
			schema:  takes(`"full": {"type": "boolean", "description": "the whole page, not only what the window shows"}, "locator": LOCATOR, ` + timeoutSchema),
			effect:  tool.EffectRead, do: screenshot,
			achieves: []string{"screenshot_page", "screenshot_full_page"}, effects: []string{"screenshot_taken"},
		},
		{
			name: "pdf", description: "Print the page into a PDF file.",
			display: display.Tool{View: display.View{Kind: display.Document}},
			schema:  takes(``), effect: tool.EffectRead, do: printPDF, achieves: []string{"save_pdf", "print_page"}, effects: []string{"pdf_saved"},
		},
	}
}

func readText(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	type part struct {
		Text  string
		Total int
	}
	most := a.number("max", textChars)
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	var texts []string
	var total, taken int
	read := func(f *document.Frame, this proto.RuntimeRemoteObjectID) error {
		var p part
		if err := f.Run(ctx, this, &p, "text", max(most-taken, 0)); err != nil {
			return err
		}
		total += p.Total
		taken += len(p.Text)
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
		return nil
	}
	l, err := a.optional("locator")
	if err != nil {
		return tool.Result{}, err
	}
	if l != nil {
		e, _, err := t.Prepare(ctx, *l, document.NeedAttached, a.timeout())
		if err != nil {
			return tool.Result{}, err
		}
		if err := read(e.Frame, e.Object); err != nil {
			return tool.Result{}, err
		}
	} else {
		all, err := t.Frames(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		for _, f := range all {
			if err := read(f, ""); err != nil && f.Parent == nil {
				return tool.Result{}, err
			}
		}
	}
	payload["text"], payload["total_chars"] = strings.Join(texts, "\n\n"), total
	if total > most {
		payload["cut"] = true
	}
	return tool.OK(payload), nil
}

func links(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	type link struct{ Text, URL string }
	all, err := t.Frames(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	most, filter := a.number("max", linkCount), strings.ToLower(a.text("filter"))
	found, total := []any{}, 0
	for _, f := range all {
		var here struct {
			Links []link
			Total int
		}
		if err := f.Run(ctx, "", &here, "links", 10_000); err != nil {
			if f.Parent == nil {
				return tool.Result{}, err
			}
			continue
		}
		for _, l := range here.Links {
			if filter != "" && !strings.Contains(strings.ToLower(l.Text), filter) && !strings.Contains(strings.ToLower(l.URL), filter) {
				continue
			}
			if total++; total <= most {
				found = append(found, map[string]any{"text": l.Text, "url": address.StripUser(l.URL)})
			}
		}
	}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	payload["links"], payload["total"] = found, total
	if total > most {
		payload["cut"] = true
	}
	return tool.OK(payload), nil
}

func screenshot(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	l, err := a.optional("locator")
	if err != nil {
		return tool.Result{}, err
	}
	if l != nil && a.flag("full") {
		return tool.Result{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.full_with_locator"))
	}
	shot := proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng}
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	switch {
	case l != nil:
		if err := t.BringToFront(ctx); err != nil {
			return tool.Result{}, err
		}
		e, _, err := t.Prepare(ctx, *l, document.NeedVisible, a.timeout())
		if err == nil {
			err = e.Describe(ctx)
		}
		if err != nil {
			return tool.Result{}, err
		}
		if shot.Clip, err = clipOf(ctx, e); err != nil {
			return tool.Result{}, err
		}
		payload["role"], payload["name"] = strings.ToLower(e.Role), address.Clip(e.Name)
	case a.flag("full"):
		size, err := proto.PageGetLayoutMetrics{}.Call(t.Call(ctx, chromium.CallTimeout))
		if err != nil {
			return tool.Result{}, err
		}
		w, h := size.CSSContentSize.Width, size.CSSContentSize.Height
		if h > picturePx {
			payload["cut"], h = true, picturePx
		}
		shot.Clip = &proto.PageViewport{Width: min(w, picturePx), Height: h, Scale: 1}
	}
	shot.CaptureBeyondViewport = shot.Clip != nil
	data, err := t.Picture(ctx, shot)
	if err != nil {
		return tool.Result{}, err
	}
	r := tool.OK(payload)
	r.Artifacts = []tool.Artifact{tool.NewArtifact("screenshot.png", "image/png", data)}
	return r, nil
}

// clipOf returns the area of the page that the element covers.
func clipOf(ctx context.Context, e *document.Element) (*proto.PageViewport, error) {
	if err := e.Frame.Run(ctx, e.Object, nil, "reveal"); err != nil {
		return nil, err
	}
	var b struct{ X, Y, W, H float64 }
	if err := e.Frame.Run(ctx, e.Object, &b, "box"); err != nil {
		return nil, err
	}
	for f := e.Frame; f.Parent != nil; f = f.Parent {
		owner, err := f.Owner(ctx)
		if err != nil {
			return nil, err
		}
		var from struct{ X, Y float64 }
		if err := f.Parent.Run(ctx, owner.Object, &from, "origin"); err != nil {
			return nil, err
		}
		b.X, b.Y = b.X+from.X, b.Y+from.Y
	}
	size, err := proto.PageGetLayoutMetrics{}.Call(e.Frame.Doc.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return nil, err
	}
	return &proto.PageViewport{
		X: b.X + size.CSSVisualViewport.PageX, Y: b.Y + size.CSSVisualViewport.PageY,
		Width: min(max(b.W, 1), picturePx), Height: min(max(b.H, 1), picturePx), Scale: 1,
	}, nil
}

func printPDF(ctx context.Context, t *page.Tab, _ args, _ tool.Call) (tool.Result, error) {
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	printed, err := proto.PagePrintToPDF{
		PrintBackground: true, PreferCSSPageSize: true, TransferMode: proto.PagePrintToPDFTransferModeReturnAsStream,
	}.Call(t.Call(ctx, pdfTimeout))
	if err != nil {
		return tool.Result{}, err
	}
	defer func() {
		_ = proto.IOClose{Handle: printed.Stream}.Call(t.Call(context.WithoutCancel(ctx), chromium.CallTimeout))
	}()
	data, err := readStream(ctx, t, printed.Stream, pdfBytes)
	if err != nil {
		return tool.Result{}, err
	}
	r := tool.OK(payload)
	r.Artifacts = []tool.Artifact{tool.NewArtifact("page.pdf", "application/pdf", data)}
	return r, nil
}

// readStream reads a stream of the browser, up to a limit.
func readStream(ctx context.Context, t *page.Tab, handle proto.IOStreamHandle, limit int) ([]byte, error) {
	var data []byte
	for {
		part, err := proto.IORead{Handle: handle}.Call(t.Call(ctx, chromium.CallTimeout))
		if err != nil {
			return nil, err
		}
		b := []byte(part.Data)
		if part.Base64Encoded {
			if b, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
				return nil, err
			}
		}
		if data = append(data, b...); len(data) > limit {
			return nil, tool.NewError(tool.ExecutionError, "too_large", message.New("browser.picture_too_large", "limit", limit))
		}
		if part.EOF {
			return data, nil
		}
	}
}
