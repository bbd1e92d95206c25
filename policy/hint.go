package policy

import (
	"fmt"
	"strings"
)

// privateHint is the line of the config that opens a private address.
func privateHint(t Target) string {
	return "if this address is meant, add \"" + t.HostPort() + "\" to allow_private under [policy] in errand.toml"
}

// nameHint says what opens a name of this machine or its network: its address
// alone does. "" for what nothing should open.
func nameHint(t Target) string {
	switch {
	case metadataNames[t.Host]:
		return ""
	case t.Host == "localhost" || strings.HasSuffix(t.Host, ".localhost"):
		at := fmt.Sprintf("127.0.0.1:%d", t.Port)
		return fmt.Sprintf("no pattern and no --allow opens a name of this kind: add %q to allow_private under [policy] in errand.toml, and open %s://%s/", at, t.Scheme, at)
	}
	return "no pattern and no --allow opens a name of this kind: add its address and port to allow_private under [policy] in errand.toml, and open that address"
}
