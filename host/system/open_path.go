package system

import (
	"context"
	_ "embed"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// OpenPathName is the name of the tool that opens a file or folder in the user's program.
const OpenPathName = "system.open_path"

const openPathSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "path": {"type": "string", "format": "path", "minLength": 1, "description": "the absolute path of a file or folder"}
  },
  "required": ["path"],
  "additionalProperties": false
}`

// runnableData lists the endings of names whose files a desktop runs instead of showing them,
// one a line.
//
//go:embed runnable.txt
var runnableData string

// starterData lists groups of starters, in lower case, one a line. The first one may come after
// other bytes.
//
//go:embed starters.txt
var starterData string

// documentData lists the endings of documents, which may be marked as executable: on file
// systems such as FAT all files are.
//
//go:embed documents.txt
var documentData string

func openPathTool(o Options) tool.Tool {
	s := tool.Spec{
		Name:            OpenPathName,
		Description:     "Open a file or folder in the user's own program for it; what would run as a program is refused",
		ArgsSchema:      []byte(openPathSchema),
		TimeoutMS:       10_000,
		RetryProfile:    tool.RetryNone,
		SideEffectClass: tool.Write,
		Effect:          tool.EffectNavigate,
		CanAchieve:      []string{"file_operation", "open_file", "open_folder"},
		Effects:         []string{"opened_externally"},
		Source:          "builtin",
		Display: display.Tool{
			Summary: display.OneOf("path"), View: display.View{Kind: display.Sentence, Params: []string{"path"}},
		}.WithName(OpenPathName),
	}
	if o.Roots != nil {
		s.Granted = o.Granted
		for _, r := range o.Roots() {
			s.Paths = append(s.Paths, "ro:"+r)
		}
	}
	return tool.Func(s, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		path, _ := call.Args["path"].(string)
		real, fault := o.openable(call, path)
		if fault != nil {
			return tool.Result{Error: fault}, nil
		}
		if missing := missingDisplay(); !missing.IsZero() {
			return tool.Result{Error: noDisplay(tool.ToolUnavailable, path, missing)}, nil
		}
		// The real path is opened, because a link may change before the program opens it.
		r, err := openExternal(ctx, launcher{o}, real)
		if r.OK {
			r.Payload = map[string]any{"path": path, "opened": true}
		}
		return r, err
	})
}

// openable returns the path without links of a file that may be opened.
func (o Options) openable(call tool.Call, path string) (string, *tool.Error) {
	outside := func() (string, *tool.Error) {
		return "", tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("system.path_outside_roots", "path", path)).
			WithHint(realpath.GrantHint(path))
	}
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) || o.Roots == nil {
		return outside()
	}
	real, ok := realpath.RealIn(call, path)
	if !ok {
		return outside()
	}
	if _, _, inside := realpath.FindRoot(o.Roots(), real); !inside {
		return outside()
	}
	info, err := os.Lstat(real)
	switch {
	case err != nil:
		return "", tool.NewError(tool.ExecutionError, "not_found", message.New("system.path_not_found", "path", path)).
			WithAlternative(message.New("files.check_path"))
	case info.IsDir() && !isBundle(real):
	case !info.Mode().IsRegular(), isRunnable(real, info):
		return "", tool.NewError(tool.PolicyDenied, "runnable_refused", message.New("system.runnable_refused", "path", path)).
			WithAlternative(message.New("system.run_it_yourself"))
	}
	return real, nil
}

// isRunnable reports whether opening a file could run it: by its name, its permission, the type
// that the desktop gives it, or its first bytes.
func isRunnable(path string, info fs.FileInfo) bool {
	name := strings.ToLower(filepath.Base(path))
	for _, ending := range strings.Fields(runnableData) {
		if strings.HasSuffix(strings.TrimRight(name, ". "), ending) {
			return true
		}
	}
	if info.Mode().Perm()&0o111 != 0 && !slices.Contains(strings.Fields(documentData), filepath.Ext(name)) {
		return true
	}
	return hasRunnableType(dataFolders(), filepath.Base(path)) || hasProgramHeader(path)
}

// hasProgramHeader reports whether a file begins like a program of Linux, Windows or macOS, or
// like a script, or names a starter of a desktop where desktops look for one. A file that
// can't be read counts as one.
func hasProgramHeader(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|realpath.NonBlock, 0)
	if err != nil {
		return true
	}
	defer f.Close()
	b := make([]byte, 1024)
	n, _ := io.ReadFull(f, b)
	head := strings.TrimPrefix(string(b[:n]), "\ufeff")
	for _, magic := range programHeaders {
		if strings.HasPrefix(head, magic) {
			return true
		}
	}
	return isStarter(head)
}

// isStarter reports whether a text begins like a starter of a desktop. Desktops look for the
// name of its group in the first bytes; comments may come before it.
func isStarter(head string) bool {
	groups := strings.Split(strings.TrimSpace(starterData), "\n")
	if strings.Contains(strings.ToLower(head[:min(len(head), 48)]), groups[0]) {
		return true
	}
	for line := range strings.Lines(head) {
		line = strings.ToLower(strings.TrimSpace(line))
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			return slices.ContainsFunc(groups, func(group string) bool { return strings.HasPrefix(line, group) })
		}
	}
	return false
}

// programHeaders are first bytes of programs and scripts.
var programHeaders = []string{
	"#!", "# !", "\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xca\xfe\xba\xbf",
	"!<arch>\ndebian", "\xed\xab\xee\xdb", "hsqs", "L\x00\x00\x00\x01\x14\x02\x00", "\x1bLua", "eval \"exec",
}

// isBundle reports whether a folder is a program of macOS.
func isBundle(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), ".app")
}
