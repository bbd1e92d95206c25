package wasm

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"errand/host/files/inode"
	"errand/host/filestate"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/rootfs"
	"errand/planner/message"
)

// root is a folder that a plugin may use, and its name in the plugin.
type root struct {
	host     string // as granted, absolute and clean
	guest    string // /root/0, /root/1, …
	readOnly bool
	path     manifest.Path // the manifest's entry for it
}

// roots are the folders of one plugin, in the order of its manifest.
type roots struct {
	list []root
	keys []string // config keys for messages; empty if the plugin requests no folders
}

const guestRoot = "/root/"

// newRoots numbers the folders for the manifest's [[paths]]. A key may have any
// number of folders. A path that is not absolute grants nothing.
func newRoots(paths []manifest.Path, granted map[string][]string) roots {
	var r roots
	for _, p := range paths {
		r.keys = append(r.keys, p.Root)
		for _, folder := range granted[p.Root] {
			if !filepath.IsAbs(folder) {
				continue
			}
			r.list = append(r.list, root{
				host: filepath.Clean(folder), guest: guestRoot + strconv.Itoa(len(r.list)), readOnly: p.Mode != "rw", path: p,
			})
		}
	}
	return r
}

// readOnly returns the same folders without write access, for a tool that declares
// itself read-only.
func (r roots) readOnly() roots {
	r.list = slices.Clone(r.list)
	for i := range r.list {
		r.list[i].readOnly = true
	}
	return r
}

func (r roots) mounts() []Mount {
	mounts := make([]Mount, len(r.list))
	for i, root := range r.list {
		mounts[i] = Mount{
			Host: root.host, Guest: root.guest, ReadOnly: root.readOnly,
			Root: root.path.Root, Quota: root.path.Quota, MaxFile: root.path.MaxFile,
		}
	}
	return mounts
}

// specs returns the folders in the format of [tool.Spec].
func (r roots) specs() []string {
	paths := make([]string, len(r.list))
	for i, root := range r.list {
		paths[i] = root.host
		if root.readOnly {
			paths[i] = "ro:" + root.host
		}
	}
	return paths
}

// toGuest converts the paths in arguments to the plugin's paths. A path outside all roots
// is an error, so that the plugin never sees it. paths are the converted ones; no other text
// is one of them, even if it looks like a path of the plugin. [tool.ConvertPaths] says which
// texts are paths.
func (r roots) toGuest(args map[string]any, schema json.RawMessage) (guest map[string]any, paths []tool.PathArg, err error) {
	if len(r.keys) == 0 || args == nil {
		return args, nil, nil
	}
	var node any
	if err := json.Unmarshal(schema, &node); err != nil {
		return nil, nil, tool.NewError(tool.ExecutionError, "bad_schema", message.New("plugin.bad_schema", "cause", err))
	}
	guest, err = tool.ConvertPaths(args, node, func(argument, p string) (string, error) {
		converted, err := r.guestPath(p)
		paths = append(paths, tool.PathArg{Argument: argument, Path: converted})
		return converted, err
	})
	return guest, paths, err
}

// writtenPaths returns the paths that a call may change with everything in them, and those
// of which it may change only the file or folder itself.
func writtenPaths(spec tool.Spec, paths []tool.PathArg) (whole, itself []string) {
	for _, p := range paths {
		switch {
		case !slices.Contains(spec.Writes, p.Argument):
		case spec.Reach[p.Argument] == tool.ReachItself:
			itself = append(itself, p.Path)
		default:
			whole = append(whole, p.Path)
		}
	}
	return whole, itself
}

// withParts adds the temporary names that a call may use beside the paths that it writes. Of a
// granted folder itself there is none.
func withParts(paths []string, key string) []string {
	part := tool.PartName(key)
	for _, p := range slices.Clone(paths) {
		if dir := path.Dir(p); path.Dir(dir) != "/" {
			paths = append(paths, path.Join(dir, part))
		}
	}
	return paths
}

// pathsMadeSince returns the arguments whose file or folder was made since the call began whose
// outcome is to be found out.
func pathsMadeSince(spec tool.Spec, call tool.Call) (arguments []string) {
	if call.Claimed.IsZero() {
		return nil
	}
	for _, name := range spec.Writes {
		if p, ok := call.Args[name].(string); ok && filepath.IsAbs(p) && isMadeSince(filepath.Clean(p), call.Claimed) {
			arguments = append(arguments, name)
		}
	}
	return arguments
}

func isMadeSince(p string, began time.Time) bool {
	dir, err := os.OpenRoot(filepath.Dir(p))
	if err != nil {
		return false
	}
	defer dir.Close()
	info, err := dir.Lstat(filepath.Base(p))
	return err == nil && inode.IsBornSince(dir, filepath.Base(p), info, began)
}

// guestPath converts an absolute host path to the plugin's path.
func (r roots) guestPath(p string) (string, error) {
	root, inside, ok := r.find(filepath.Clean(p))
	if !ok {
		return "", r.outsideError(p)
	}
	if info, err := os.Stat(root.host); err != nil || !info.IsDir() {
		return "", tool.UnavailableError("root_missing", message.New("plugin.root_missing", "folder", root.host)).
			WithHint(message.New("plugin.create_root", "keys", r.keys))
	}
	return path.Join(root.guest, filepath.ToSlash(inside)), nil
}

// find returns the innermost folder that contains a clean path, and the path in it.
func (r roots) find(clean string) (best root, inside string, ok bool) {
	for _, root := range r.list {
		for _, folder := range root.realPaths() {
			rel, err := filepath.Rel(folder, clean)
			if err == nil && filepath.IsLocal(rel) && (!ok || len(root.host) > len(best.host)) {
				best, inside, ok = root, rel, true
			}
		}
	}
	return best, inside, ok
}

// places converts the places of a call to the plugin's paths. A place outside the granted
// folder of its path has none, so that the plugin can't use it. Files that the user approved
// are compared when the plugin opens them. The temporary file of the call beside a path lies in the
// folder of the path's place.
func (r roots) places(ctx context.Context, call tool.Call) (places []rootfs.Place) {
	for _, p := range call.Places {
		root, inside, ok := r.find(p.Path)
		if !ok {
			continue
		}
		guest := func(real string) string {
			if _, rel, ok := realpath.FindRoot([]string{root.host}, real); ok && real != "" {
				return path.Join(root.guest, filepath.ToSlash(rel))
			}
			return ""
		}
		place := rootfs.Place{Name: path.Join(root.guest, filepath.ToSlash(inside)), Real: guest(p.Real), Entry: guest(p.Entry)}
		if s, approved := call.File(p.Path); approved && s.Kind == tool.FileRegular {
			place.Bind = func(f *os.File) func() bool { return filestate.Bind(ctx, s, f) }
		}
		places = append(places, place)
		if inside != "." { // beside the granted folder itself there is no temporary file
			part := tool.PartName(call.Key)
			beside := rootfs.Place{Name: path.Join(path.Dir(place.Name), part)}
			if place.Entry != "" {
				beside.Real = path.Join(path.Dir(place.Entry), part)
				beside.Entry = beside.Real
			}
			places = append(places, beside)
		}
	}
	return places
}

// realPaths returns the folder as granted and, if that contains links, its real
// path.
func (r root) realPaths() []string {
	if resolved, err := filepath.EvalSymlinks(r.host); err == nil && resolved != r.host {
		return []string{r.host, resolved}
	}
	return []string{r.host}
}

func (r roots) outsideError(p string) *tool.Error {
	if len(r.list) == 0 {
		return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("plugin.no_folder_granted", "path", p, "keys", r.keys)).
			WithHint(message.New("plugin.add_folder", "keys", r.keys))
	}
	return tool.NewError(tool.PolicyDenied, tool.CodeOutsideRoots, message.New("plugin.path_outside_roots", "path", p, "folders", r.specs(), "keys", r.keys)).WithHint(message.New("plugin.choose_path_in_folders", "keys", r.keys))
}

// toHost converts the plugin's paths in a payload to paths of this machine.
func (r roots) toHost(v any) any {
	if len(r.list) == 0 {
		return v
	}
	return tool.MapLeaves(v, func(leaf any) any {
		if text, ok := leaf.(string); ok {
			return r.hostPath(text)
		}
		return leaf
	})
}

func (r roots) hostPath(p string) string {
	if host, ok := r.findHostPath(p); ok {
		return host
	}
	return p
}

// findHostPath converts a plugin's path to a path of this machine.
func (r roots) findHostPath(p string) (string, bool) {
	number, inside, _ := strings.Cut(strings.TrimPrefix(p, guestRoot), "/")
	n, err := strconv.Atoi(number)
	if !strings.HasPrefix(p, guestRoot) || err != nil || n < 0 || n >= len(r.list) || strconv.Itoa(n) != number {
		return "", false
	}
	inside = path.Clean("/" + inside) // no way up out of the root
	return filepath.Join(r.list[n].host, filepath.FromSlash(inside)), true
}

var guestPaths = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/root/[0-9]+(?:/[^\s"':;,]*)?`) })

// textToHost converts the plugin's paths in a text for people.
func (r roots) textToHost(s string) string {
	if len(r.list) == 0 {
		return s
	}
	return guestPaths().ReplaceAllStringFunc(s, r.hostPath)
}

// messageToHost converts the plugin's paths in the values of a message.
func (r roots) messageToHost(m message.Message) message.Message {
	if len(r.list) == 0 || len(m.Params) == 0 {
		return m
	}
	params := make(map[string]any, len(m.Params))
	for name, value := range m.Params {
		params[name] = r.paramToHost(value)
	}
	return message.Message{Code: m.Code, Params: params}
}

func (r roots) paramToHost(value any) any {
	switch v := value.(type) {
	case string:
		return r.textToHost(v)
	case message.Message:
		return r.messageToHost(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.paramToHost(item)
		}
		return out
	}
	return value
}

// facts returns the facts that a plugin reported, with paths of this machine. It
// drops facts about anything outside the plugin's roots.
func (r roots) facts(said []string) []string {
	var facts []string
	for _, fact := range said {
		kind, p, ok := strings.Cut(fact, ":")
		if !ok || kind != "exists" && kind != "!exists" {
			continue
		}
		if host, ok := r.findHostPath(p); ok {
			facts = append(facts, kind+":"+host)
		}
	}
	return facts
}
