package policy

import "fmt"

// Declared is the hosts that a tool's own manifest declares, read once for all
// the fetches of its calls. It is immutable; the zero Declared reaches nothing.
type Declared struct {
	allowed, denied list
	fault           *Decision // of a pattern that can't be read: nothing is reached then
}

// Declare reads the patterns of a manifest.
func Declare(patterns []string) *Declared {
	d := &Declared{}
	for i, text := range patterns {
		pattern, err := ParsePattern(text)
		switch {
		case err != nil:
			fault := deny(RuleManifest, fmt.Sprintf("hosts[%d] %q of the tool's manifest: %v", i, text, err))
			return &Declared{fault: &fault}
		case pattern.deny:
			d.denied.add(pattern)
		default:
			d.allowed.add(pattern)
		}
	}
	return d
}

// manifest holds a target against the hosts that a tool declares of itself.
func manifest(r *Request, t *Target) Decision {
	d := r.Declared
	switch {
	case r.Hosts == nil:
		return allow(RuleFloor, "")
	case d == nil:
		d = Declare(r.Hosts)
	}
	switch {
	case d.fault != nil:
		return *d.fault
	case d.denied.find(t, r) != nil:
		return deny(RuleManifest, fmt.Sprintf("the tool's manifest denies %s", t.Origin()))
	case d.allowed.find(t, r) == nil:
		return deny(RuleManifest, fmt.Sprintf("%s is not among the hosts that the tool's manifest declares", t.Origin()))
	}
	return allow(RuleManifest, "")
}
