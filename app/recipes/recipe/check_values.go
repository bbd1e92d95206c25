package recipe

import (
	"maps"
	"slices"
	"strings"

	"errand/host/browser/axtree"
	"errand/host/tool"
	"errand/planner/message"
)

// roles checks the roles by which a step finds its element, and the expected role of
// the element. The expected role may be unknown unless it is similar to a known one,
// because runs store any role of a page. A role with a capital letter is Chromium's
// own, as a saved run may have it.
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
		} else if at != path+".target.role" { // a stored role is unchanged: lower case would hide that it is Chromium's
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

// addresses checks that no step opens an address that is neither http nor https, which
// policy always denies. Patterns that the address of a page is compared with are not
// checked.
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

// schemeOf returns the scheme of an address in lower case, as a browser reads it; ""
// for none. It drops white space as browsers do. A word before a port is a host, not a
// scheme.
func schemeOf(address string) string {
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(address))
	scheme, rest, ok := strings.Cut(strings.ToLower(address), ":")
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" || scheme[0] < 'a' ||
		rest == "" || '0' <= rest[0] && rest[0] <= '9' {
		return ""
	}
	return scheme
}
