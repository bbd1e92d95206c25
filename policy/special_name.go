package policy

import (
	"fmt"
	"strings"
)

// specialTLDs never lead to the public internet (RFC 6761, 6762, 7686, 8375,
// 9476; ICANN's private-use .internal; the undelegated names of RFC 6762
// appendix G). `.example` is an ordinary name here: documentation and demos
// use it.
var specialTLDs = map[string]bool{
	"localhost": true, "local": true, "localdomain": true, "localnet": true,
	"internal": true, "intranet": true, "private": true, "corp": true, "home": true, "lan": true,
	"test": true, "invalid": true, "onion": true, "alt": true, "arpa": true, "svc": true,
}

// metadataNames are those of cloud metadata services that look like ordinary
// names. The others have a single label or a special top level.
var metadataNames = map[string]bool{
	"metadata.packet.net":          true,
	"metadata.platformequinix.com": true,
	"metadata.tencentyun.com":      true,
	"api.metadata.cloud.ibm.com":   true,
	"metadata.goog":                true,
}

// findSpecialName says why a canonical name doesn't belong to the public internet.
func findSpecialName(host string) (reason string, special bool) {
	i := strings.LastIndexByte(host, '.')
	switch {
	case i < 0:
		return "a name without a dot belongs to the local network", true
	case specialTLDs[host[i+1:]]:
		return "names of this kind belong to the local machine or network", true
	case metadataNames[host]:
		return "this is the name of a cloud's metadata service", true
	}
	return "", false
}

// nameHint says how to reach a name of this machine or its network: by its address.
// "": nothing should reach it.
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
