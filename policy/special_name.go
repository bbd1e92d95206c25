package policy

import "strings"

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

// specialName says why a canonical name is not one of the public internet.
func specialName(host string) (reason string, special bool) {
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
