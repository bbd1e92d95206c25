package special

import (
	"strings"

	"errand/planner/message"
)

// specialTLDs never resolve to the public internet (RFC 6761, 6762, 7686, 8375, 9476;
// ICANN's private-use .internal; the undelegated names of RFC 6762 appendix G).
// `.example` is not in the list, because documentation and demos use it.
var specialTLDs = map[string]bool{
	"localhost": true, "local": true, "localdomain": true, "localnet": true,
	"internal": true, "intranet": true, "private": true, "corp": true, "home": true, "lan": true,
	"test": true, "invalid": true, "onion": true, "alt": true, "arpa": true, "svc": true,
}

// metadataNames are the names of cloud metadata services that look like ordinary names,
// and the parents of such names. Other such names have a single label or a special top
// level.
var metadataNames = map[string]bool{
	"metadata.packet.net":          true,
	"metadata.platformequinix.com": true,
	"metadata.tencentyun.com":      true,
	"metadata.cloud.ibm.com":       true,
	"metadata.goog":                true,
}

// FindName reports whether a canonical name is not the name of a public host, and why.
func FindName(host string) (reason message.Message, special bool) {
	i := strings.LastIndexByte(host, '.')
	switch {
	case i < 0:
		return message.New("policy.single_label_name"), true
	case specialTLDs[host[i+1:]]:
		return message.New("policy.local_name"), true
	case IsMetadataName(host):
		return message.New("policy.metadata_name"), true
	}
	return message.Message{}, false
}

// IsMetadataName reports whether a canonical name belongs to a cloud metadata service.
func IsMetadataName(host string) bool {
	for found := true; found; _, host, found = strings.Cut(host, ".") {
		if metadataNames[host] {
			return true
		}
	}
	return false
}
