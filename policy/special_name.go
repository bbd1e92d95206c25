package policy

import (
	"fmt"
	"strings"

	"errand/planner/message"
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
func findSpecialName(host string) (reason message.Message, special bool) {
	i := strings.LastIndexByte(host, '.')
	switch {
	case i < 0:
		return message.New("policy.single_label_name"), true
	case specialTLDs[host[i+1:]]:
		return message.New("policy.local_name"), true
	case metadataNames[host]:
		return message.New("policy.metadata_name"), true
	}
	return message.Message{}, false
}

// nameHint says how to reach a name of this machine or its network: by its address.
// "": nothing should reach it.
func nameHint(t Target) message.Message {
	switch {
	case metadataNames[t.Host]:
		return message.Message{}
	case t.Host == "localhost" || strings.HasSuffix(t.Host, ".localhost"):
		return message.New("policy.open_loopback_hint", "address", fmt.Sprintf("127.0.0.1:%d", t.Port), "scheme", t.Scheme)
	}
	return message.New("policy.open_local_hint")
}
