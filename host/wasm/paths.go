package wasm

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// root is a folder that a plugin may touch, under the name it has there.
type root struct {
	host     string // as it was granted, absolute and clean
	guest    string // /root/0, /root/1, …
	readOnly bool
	path     manifest.Path // that it stands for
}

// roots are the folders of one plugin, in the order of its manifest.
type roots struct {
	list []root
	keys []string // of the config, for messages; empty where the plugin asks for no folders
}

const guestRoot = "/root/"

// rootsOf numbers the folders that the manifest's [[paths]] stand for. A key
// may stand for several folders or for none; what is not an absolute path is
// no grant.
func rootsOf(paths []manifest.Path, granted map[string][]string) roots {
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

// readOnly is the same folders for a tool that says that it only reads: what it
// says of itself is held.
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

// specs lists the folders as [tool.Spec] wants them.
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

// toGuest answers the arguments with their paths as the plugin sees them. A
// path outside every root is refused before the plugin hears of it.
//
// Which strings are paths: those that the schema marks with "format": "path",
// or, where it marks none, every absolute one.
func (r roots) toGuest(args map[string]any, schema json.RawMessage) (map[string]any, error) {
	if len(r.keys) == 0 || args == nil {
		return args, nil
	}
	var node any
	if err := json.Unmarshal(schema, &node); err != nil {
		return nil, tool.Errorf(tool.ExecutionError, "bad_schema", "args_schema: %v", err)
	}
	v, err := r.translate(args, node, !marksPaths(node))
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}

// marksPaths reports whether a schema says anywhere which strings are paths.
func marksPaths(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		if n["format"] == "path" {
			return true
		}
		for _, v := range n {
			if marksPaths(v) {
				return true
			}
		}
	case []any:
		for _, v := range n {
			if marksPaths(v) {
				return true
			}
		}
	}
	return false
}

func (r roots) translate(v, schema any, every bool) (any, error) {
	node, _ := schema.(map[string]any)
	switch v := v.(type) {
	case string:
		if every || node["format"] == "path" {
			return r.guest(v)
		}
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		out := make(map[string]any, len(v))
		for k, item := range v {
			t, err := r.translate(item, properties[k], every)
			if err != nil {
				return nil, err
			}
			out[k] = t
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			t, err := r.translate(item, node["items"], every)
			if err != nil {
				return nil, err
			}
			out[i] = t
		}
		return out, nil
	}
	return v, nil
}

// guest answers an absolute host path as the plugin sees it, and anything else
// as it is.
func (r roots) guest(p string) (string, error) {
	if !filepath.IsAbs(p) && !path.IsAbs(p) {
		return p, nil
	}
	clean := filepath.Clean(p)
	best, inside := -1, ""
	for i, root := range r.list {
		for _, folder := range root.spellings() {
			rel, err := filepath.Rel(folder, clean)
			if err == nil && filepath.IsLocal(rel) && (best < 0 || len(root.host) > len(r.list[best].host)) {
				best, inside = i, rel
			}
		}
	}
	if best < 0 {
		return "", r.outside(p)
	}
	root := r.list[best]
	if info, err := os.Stat(root.host); err != nil || !info.IsDir() {
		return "", unavailable("root_missing", "the folder %s does not exist", root.host).
			WithHint("create it, or take it out of %s", strings.Join(r.keys, ", "))
	}
	return path.Join(root.guest, filepath.ToSlash(inside)), nil
}

// spellings are the folder as granted and, where links lead to it, as it is.
func (r root) spellings() []string {
	if resolved, err := filepath.EvalSymlinks(r.host); err == nil && resolved != r.host {
		return []string{r.host, resolved}
	}
	return []string{r.host}
}

func (r roots) outside(p string) *tool.Error {
	keys := strings.Join(r.keys, ", ")
	if len(r.list) == 0 {
		return tool.Errorf(tool.PolicyDenied, "path_outside_roots", "%q can't be touched: no folder is granted (%s is empty)", p, keys).
			WithHint("put the folder into %s", keys)
	}
	return tool.Errorf(tool.PolicyDenied, "path_outside_roots", "%q is outside the folders that are granted: %s (%s)",
		p, strings.Join(r.specs(), ", "), keys).WithHint("choose a path in one of them, or add its folder to %s", keys)
}

// toHost answers a payload with the plugin's paths as this machine has them.
func (r roots) toHost(v any) any {
	if len(r.list) == 0 {
		return v
	}
	switch v := v.(type) {
	case string:
		return r.hostPath(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = r.toHost(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.toHost(item)
		}
		return out
	}
	return v
}

func (r roots) hostPath(p string) string {
	if host, ok := r.host(p); ok {
		return host
	}
	return p
}

// host answers a guest path as this machine has it.
func (r roots) host(p string) (string, bool) {
	number, inside, _ := strings.Cut(strings.TrimPrefix(p, guestRoot), "/")
	n, err := strconv.Atoi(number)
	if !strings.HasPrefix(p, guestRoot) || err != nil || n < 0 || n >= len(r.list) || strconv.Itoa(n) != number {
		return "", false
	}
	inside = path.Clean("/" + inside) // no way up out of the root
	return filepath.Join(r.list[n].host, filepath.FromSlash(inside)), true
}

var guestPaths = regexp.MustCompile(`/root/[0-9]+(?:/[^\s"':;,]*)?`)

// inText replaces the plugin's paths in a message for people.
func (r roots) inText(s string) string {
	if len(r.list) == 0 {
		return s
	}
	return guestPaths.ReplaceAllStringFunc(s, r.hostPath)
}

// facts answers what a plugin says holds now, in this machine's paths. A
// plugin can speak for what is inside its roots and for nothing else.
func (r roots) facts(said []string) []string {
	var facts []string
	for _, fact := range said {
		kind, p, ok := strings.Cut(fact, ":")
		if !ok || kind != "exists" && kind != "!exists" {
			continue
		}
		if host, ok := r.host(p); ok {
			facts = append(facts, kind+":"+host)
		}
	}
	return facts
}
