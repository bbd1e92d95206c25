package actions

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/browser/transfer"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// Limits of one upload.
const (
	maxUploads = 20
)

// upload gives files to a file input, or to an element that opens a file chooser when
// clicked.
func (o Options) upload(ctx context.Context, t *page.Tab, a args, call tool.Call) (tool.Result, error) {
	paths, err := a.paths()
	if err != nil {
		return tool.Result{}, err
	}
	files, err := copyUploads(ctx, t.Browser, o.Files.roots(), paths, call)
	if err != nil {
		return tool.Result{}, err
	}
	e, _, err := findTarget(ctx, t, a, call, document.NeedAttached)
	if err != nil {
		return tool.Result{}, err
	}
	node, err := proto.DOMDescribeNode{ObjectID: e.Object}.Call(e.Frame.Call(ctx))
	if err != nil {
		return tool.Result{}, document.WrapReplaced(err)
	}
	field, several := e.Frame, hasAttribute(node.Node, "multiple")
	set := proto.DOMSetFileInputFiles{ObjectID: e.Object}
	if !isFileInput(node.Node) {
		if field, set.ObjectID, several, err = chooseFiles(ctx, t, a, call); err != nil {
			return tool.Result{}, err
		}
	}
	if len(files) > 1 && !several {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "takes_one_file", message.New("browser.takes_one_file", "element", e.Message(), "count", len(files)))
	}
	var details []any
	for _, f := range files {
		set.Files = append(set.Files, f.Path)
		details = append(details, map[string]any{"name": f.Name, "size": f.Size, "sha256": f.SHA256})
	}
	if err := set.Call(field.Call(ctx)); err != nil {
		return tool.Result{}, document.WrapReplaced(err)
	}
	return finishAction(ctx, t, e, map[string]any{"files": details})
}

// paths returns the file paths of a call.
func (a args) paths() ([]string, error) {
	by, err := a.exactlyOne("path", "paths")
	if err != nil {
		return nil, err
	}
	if by == "path" {
		return []string{a.text("path")}, nil
	}
	list, _ := a["paths"].([]any)
	var paths []string
	for _, v := range list {
		if p, ok := v.(string); ok {
			paths = append(paths, p)
		}
	}
	if len(paths) != len(list) || len(paths) == 0 || len(paths) > maxUploads {
		return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.bad_paths", "limit", maxUploads))
	}
	return paths, nil
}

func isFileInput(n *proto.DOMNode) bool {
	for i := 0; i+1 < len(n.Attributes); i += 2 {
		if strings.EqualFold(n.Attributes[i], "type") {
			return n.NodeName == "INPUT" && strings.EqualFold(n.Attributes[i+1], "file")
		}
	}
	return false
}

func hasAttribute(n *proto.DOMNode, name string) bool {
	for i := 0; i+1 < len(n.Attributes); i += 2 {
		if strings.EqualFold(n.Attributes[i], name) {
			return true
		}
	}
	return false
}

// chooseFiles clicks an element and waits for the page to open a file chooser. It returns the
// field that gets the files, in its frame, and whether it takes several.
func chooseFiles(ctx context.Context, t *page.Tab, a args, call tool.Call) (in *document.Frame, field proto.RuntimeRemoteObjectID, several bool, err error) {
	e, at, err := findTarget(ctx, t, a, call, document.NeedClick)
	if err != nil {
		return nil, "", false, err
	}
	chooser, err := t.AskForFiles(ctx, func(ctx context.Context) error { return clickHere(ctx, t, at, call) })
	switch {
	case err != nil:
		return nil, "", false, err
	case chooser == nil || chooser.BackendNodeID == 0:
		return nil, "", false, tool.NewError(tool.ExecutionError, "takes_no_file", message.New("browser.takes_no_file", "element", e.Message()))
	}
	all, err := t.Frames(ctx)
	if err != nil {
		return nil, "", false, err
	}
	i := slices.IndexFunc(all, func(f *document.Frame) bool { return f.ID == chooser.FrameID })
	if i < 0 {
		return nil, "", false, document.ErrReplaced
	}
	if d := decideFrame(ctx, t, all[i]); d.Verdict != policy.Allow { // the field of another frame asks
		return nil, "", false, frameError(message.New("browser.other_frame_asks", "element", e.Message(), "reason", d.Reason), d)
	}
	// The number of a node can be that of another one in the next document; an object can't.
	node, err := proto.DOMResolveNode{BackendNodeID: chooser.BackendNodeID, ObjectGroup: t.Group}.Call(all[i].Call(ctx))
	if err != nil {
		return nil, "", false, document.WrapReplaced(err)
	}
	if err := checkSite(ctx, t, call); err != nil {
		return nil, "", false, err
	}
	if err := checkFrameSite(all[i], call); err != nil {
		return nil, "", false, err
	}
	return all[i], node.Object.ObjectID, chooser.Mode == proto.PageFileChooserOpenedModeSelectMultiple, nil
}

// copyUploads checks files and copies them to a folder of the browser, so that the page
// gets exactly the checked content. The copies are deleted with the browser, because the
// form may be submitted later. A file that differs from what the user approved is an error.
func copyUploads(ctx context.Context, b *page.Browser, roots, paths []string, call tool.Call) ([]transfer.Upload, error) {
	if b.Folder() == "" { // the user's own browser has no such folder
		return nil, tool.NewError(tool.PolicyDenied, "upload_denied", message.New("browser.upload_denied")).
			WithHint(message.New("browser.take_cdp_out"))
	}
	folder := filepath.Join(b.Folder(), "uploads")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	remaining := int64(transfer.MaxUploadBytes)
	var files []transfer.Upload
	for _, p := range paths {
		f, err := transfer.CopyUpload(ctx, roots, call, p, folder, remaining)
		if err != nil {
			return nil, err
		}
		if approved, ok := call.File(filepath.Clean(p)); ok && (approved.SHA256 != f.SHA256 || approved.Size != f.Size) {
			return nil, tool.NewError(tool.PolicyDenied, "approval_drift", message.New("browser.upload_changed", "path", p))
		}
		remaining -= f.Size
		files = append(files, f)
	}
	return files, nil
}

// forecastUpload predicts which files will be uploaded. It changes nothing.
func (o Options) forecastUpload(_ context.Context, call tool.Call) (tool.Forecast, error) {
	paths, err := args(call.Args).paths()
	if err != nil {
		return tool.Forecast{}, err
	}
	var names []message.Message
	for _, p := range paths {
		f, fail := transfer.OpenFile(o.Files.roots(), call, p)
		if fail != nil {
			if fail.Class == tool.PolicyDenied {
				return tool.Forecast{}, fail
			}
			names = append(names, message.New("browser.file_missing", "name", filepath.Base(p))) // an earlier action may create it
			continue
		}
		if info, err := f.Stat(); err == nil {
			names = append(names, message.New("browser.file_size", "name", filepath.Base(p), "size", info.Size()))
		}
		f.Close()
	}
	return tool.Forecast{Note: message.New("browser.page_gets", "files", names), Count: len(paths)}, nil
}
