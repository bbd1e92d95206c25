package actions

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/download"
	"errand/host/browser/page"
	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Files says which of the user's files the browser's tools may access. The zero value
// allows none.
type Files struct {
	Roots     func() []string // the granted folders, absolute
	Granted   []string        // those of Roots that the user allowed for a run or until revoked
	Downloads func() string   // the granted folder for downloads without a path; "": none
}

func (f Files) roots() []string {
	if f.Roots == nil {
		return nil
	}
	return f.Roots()
}

// fileActions returns the actions that transfer files between pages and the user's
// folders.
func (o Options) fileActions() []action {
	return []action{
		{
			name: "download", description: "Save a file into a granted folder, under a name that is free: by its URL, by the element of the page that starts it, or by its name on the page. It is never opened.",
			display: display.Tool{Summary: display.OneOf("url", "file", "locator"), View: display.View{Kind: display.File}},
			schema: takes(urlProperty + `, "locator": LOCATOR, "file": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "name or words of a link of the current page"},
				"path": {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096, "description": "where to, as an absolute path: a file, or a folder where it exists or the path ends in /; default: Downloads"},
				"name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "the file's name, in place of the one that is suggested"},
				"max_bytes": {"type": "integer", "minimum": 1, "maximum": ` + fmt.Sprint(download.MaxBytes) + `, "description": "default ` + fmt.Sprint(download.DefaultBytes) + `"}, ` + timeoutSchema),
			effect: tool.EffectFile, timeoutMS: 60_000, opens: true, retry: tool.RetryNone,
			achieves: []string{"download_file"}, effects: []string{"file_downloaded"},
			spec: func(s *tool.Spec) {
				s.Opens, s.Reversible, s.Paths, s.Granted, s.Writes = []string{"url"}, true, o.Files.roots(), o.Files.Granted, []string{"path"}
				s.Reach = map[string]tool.Reach{"path": tool.ReachItself} // a new file in a folder replaces nothing
				s.Saves = &tool.Saved{Path: "path", Name: "name", IsFolder: transfer.IsFolder}
				if o.Files.Downloads != nil {
					s.Saves.Folder = o.Files.Downloads()
				}
				s.Page, s.PageOfURL = tool.LeavesPage, new(tool.PageUse) // with a URL it needs no page
			},
			withoutPage: o.download, forecast: o.forecastDownload, reconcile: o.reconcileDownload,
		},
		{
			name: "upload", description: "Give files of the granted folders to a page: to the field that takes them, or to the button that asks for them.",
			display: display.Tool{Summary: display.OneOf("path", "paths"), Lists: true, View: display.View{Kind: display.Nothing}},
			schema: schema{properties: `"locator": LOCATOR, "path": {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096, "description": "the file's absolute path"},
				"paths": {"type": "array", "minItems": 1, "maxItems": ` + fmt.Sprint(maxUploads) + `, "items": {"type": "string", "format": "path", "minLength": 1, "maxLength": 4096}, "description": "files to upload"}, ` + timeoutSchema, required: []string{"locator"}, alternatives: []string{"path", "paths"}},
			effect: tool.EffectFile, timeoutMS: 60_000,
			spec: func(s *tool.Spec) {
				s.Granted = o.Files.Granted
				for _, root := range o.Files.roots() {
					s.Paths = append(s.Paths, "ro:"+root)
				}
			},
			do: o.upload, forecast: o.forecastUpload,
		},
	}
}

// exactlyOne returns the only key that is present. It returns an error if there are none
// or several, because callers may bypass the schema validation.
func (a args) exactlyOne(keys ...string) (string, error) {
	var has []string
	for _, k := range keys {
		if a.has(k) {
			has = append(has, k)
		}
	}
	if len(has) != 1 {
		return "", tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.exactly_one", "names", keys, "count", len(has)))
	}
	return has[0], nil
}

// download executes the call.
func (o Options) download(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	a := args(call.Args)
	by, err := a.exactlyOne("url", "locator", "file")
	if err != nil {
		return tool.Result{}, err
	}
	to, fail := o.Files.place(call)
	if fail != nil {
		return tool.Result{}, fail
	}
	defer to.Dir.Close()
	to.Call = callMark(call.Key)
	most := int64(a.number("max_bytes", download.DefaultBytes))
	if by == "url" {
		got, err := b.Download(ctx, a.text("url"), most, to)
		if err != nil {
			return tool.Result{}, err
		}
		return result(got), nil
	}
	return b.Act(ctx, "download", func(ctx context.Context, t *page.Tab) (tool.Result, error) {
		var got page.Downloaded
		if by == "file" {
			if err := checkSource(ctx, t, call); err != nil {
				return tool.Result{}, err
			}
			link, err := findFileLink(ctx, t, a.text("file"))
			if err != nil {
				return tool.Result{}, err
			}
			if got, err = b.Download(ctx, link, most, to); err != nil {
				return tool.Result{}, err
			}
			return result(got), nil
		}
		if err := b.CheckDownloads(); err != nil {
			return tool.Result{}, err
		}
		e, at, err := findTarget(ctx, t, a, call, document.NeedClick)
		if err != nil {
			return tool.Result{}, err
		}
		if got, err = t.Download(ctx, most, false, e.Frame, to, func(ctx context.Context) error { return clickHere(ctx, t, at, call) }); err != nil {
			return tool.Result{}, err
		}
		return result(got), nil
	})
}

// place determines the destination of the file and opens the folder.
func (f Files) place(call tool.Call) (transfer.Destination, *tool.Error) {
	folder, name, fail := f.target(call.Args)
	if fail != nil {
		return transfer.Destination{}, fail
	}
	to := transfer.Destination{Name: name}
	to.Dir, to.Folder, fail = transfer.OpenFolder(f.roots(), call, folder)
	return to, fail
}

// target returns the folder and the name of a call. The name is "" if the suggested name
// is to be used.
func (f Files) target(a args) (folder, name string, fail *tool.Error) {
	path := a.text("path")
	name = a.text("name")
	switch {
	case path == "" && f.Downloads != nil:
		folder = f.Downloads()
	case strings.HasSuffix(path, string(filepath.Separator)) || name != "" || transfer.IsFolder(path):
		folder = path
	case path != "":
		folder, name = filepath.Dir(path), filepath.Base(path)
	}
	if folder == "" {
		return "", "", tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("browser.no_download_folder")).
			WithHint(message.New("browser.name_folder"))
	}
	if name != "" && transfer.SafeName(name) != name {
		return "", "", tool.NewError(tool.ValidationError, "bad_file_name", message.New("browser.bad_file_name", "name", address.Clip(name))).
			WithHint(message.New("browser.name_example", "name", transfer.SafeName(name)))
	}
	_, _, fail = transfer.FindRoot(f.roots(), folder)
	return folder, name, fail
}

// forecastDownload predicts where the file will be saved. It changes nothing.
func (o Options) forecastDownload(_ context.Context, call tool.Call) (tool.Forecast, error) {
	a := args(call.Args)
	if _, err := a.exactlyOne("url", "locator", "file"); err != nil {
		return tool.Forecast{}, err
	}
	folder, name, fail := o.Files.target(a)
	if fail != nil {
		return tool.Forecast{}, fail
	}
	limit := a.number("max_bytes", download.DefaultBytes)
	note := message.New("browser.download_note", "limit", limit, "folder", folder)
	switch suggested := transfer.NameFromURL(a.text("url")); {
	case name != "":
		note = message.New("browser.download_note_name", "limit", limit, "folder", folder, "name", transfer.NumberedName(folder, name))
	case suggested != "":
		note = message.New("browser.download_note_suggested", "limit", limit, "folder", folder, "name", transfer.NumberedName(folder, suggested))
	}
	return tool.Forecast{Reversible: true, Note: note}, nil
}

// result returns the result for a downloaded file. Undo moves the file to the trash if it
// is unchanged.
func result(d page.Downloaded) tool.Result {
	host := address.Host(strings.TrimPrefix(d.URL, "blob:"))
	payload := map[string]any{"path": d.Path, "name": d.Name, "size": d.Size, "sha256": d.SHA256, "url": d.URL, "host": host}
	if d.MediaType != "" {
		payload["media_type"] = d.MediaType
	}
	r := tool.OK(payload)
	r.Facts = []string{"exists:" + d.Path}
	r.Undo = &tool.Inverse{Tool: "files.delete_file", Args: map[string]any{
		"path": d.Path, "if_unchanged": fmt.Sprintf("file size=%d sha256=%s", d.Size, d.SHA256),
	}}
	if host != d.URL {
		r.From = []string{host}
	}
	return r
}
