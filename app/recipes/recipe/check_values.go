package recipe

import (
	"maps"
	"slices"
	"strings"

	"errand/host/browser/axtree"
	"errand/host/tool"
	"errand/planner/message"
)

// roles checks that the roles by which a step finds its element, and which the
// element has to have, are roles. One that a target has may be any that is not like
// another: runs keep what they met. A role with a capital letter is Chromium's own,
// as a saved run may have it: there are more of them than anybody lists.
func (f *problemList) roles(path string, s Step, spec tool.Spec) {
	check := func(at, role string) {
		_, known := axtree.Roles(role)
		if role == "" || known || role != strings.ToLower(role) || slices.ContainsFunc(parts(role), func(p part) bool { return p.param != "" }) {
			return
		}
		if slices.ContainsFunc([]string{"doc-", "graphics-", "section"}, func(p string) bool { return strings.HasPrefix(role, p) }) {
			return // of ARIA's modules, and of its next version
		}
		if near := message.Nearest(role, axtree.ARIA()); near != "" {
			f.addAt(at, message.New("recipes.unknown_role_near", "role", role, "near", near))
		} else if at != path+".target.role" { // what a run met is kept as it was: small letters hide that it is Chromium's
			f.addAt(at, message.New("recipes.unknown_role", "role", role))
		}
	}
	if s.Target != nil {
		check(path+".target.role", s.Target.Role)
	}
	if spec.Page != tool.NoPage {
		walk(path+".args", s.Args, func(at, text string) {
			if lastKey(at) == "role" {
				check(at, text)
			}
		})
	}
}

// addresses checks that no step opens what policy never lets anything open: an
// address that is neither http nor https. What a page's address is compared with
// is a pattern, and opens nothing.
func (f *problemList) addresses(path string, spec tool.Spec, args map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(args)) {
		text, ok := args[key].(string)
		opens := slices.Contains(spec.Opens, key) || (key == "url" || key == "uri" || key == "href" || strings.HasSuffix(key, "_url")) &&
			(spec.Effect == tool.EffectNavigate || spec.Page == tool.NoPage)
		if !ok || !opens {
			continue
		}
		if scheme := schemeOf(text); scheme != "" && scheme != "http" && scheme != "https" {
			f.addAt(path+".args."+key, message.New("recipes.denied_scheme", "tool", spec.Name, "argument", key, "scheme", scheme))
		}
	}
}

// schemeOf is the scheme that a browser would take an address to have, in lower
// case; "" for none. It drops white space as browsers do. What stands before a
// port is a host.
func schemeOf(address string) string {
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(address))
	scheme, rest, ok := strings.Cut(strings.ToLower(address), ":")
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" || scheme[0] < 'a' ||
		rest == "" || '0' <= rest[0] && rest[0] <= '9' {
		return ""
	}
	return scheme
}
