package special_test

import (
	"net/netip"
	"testing"

	"errand/build/must"
	"errand/policy"
	"errand/policy/special"
)

// TestCloudAddresses checks that services of clouds are refused by the name of their
// cloud, also where their addresses look public, and that their neighbours are not.
func TestCloudAddresses(t *testing.T) {
	for text, cloud := range map[string]string{
		"168.63.129.16": "Azure", "100.100.100.200": "Alibaba Cloud", "192.0.0.192": "Oracle Cloud",
		"fd00:c1::a9fe:a9fe": "Oracle Cloud", "fd00:ec2::254": "AWS", "fd00:ec2::253": "AWS",
		"fd20:ce::254": "Google Cloud", "fd00:42::42": "Scaleway", "fd00:a9fe:a9fe::1": "Akamai Cloud", "fe80::a9fe:a9fe": "OpenStack",
		"161.26.0.10": "IBM Cloud", "166.8.0.1": "IBM Cloud", "166.11.255.255": "IBM Cloud",
	} {
		a := netip.MustParseAddr(text)
		if d := policy.FloorAddr(a); d.Verdict != policy.Deny || d.Reason.Params["block"] == nil {
			t.Errorf("%s: %s, %s", text, d.Verdict, d.Reason)
		}
		if name, found := special.FindAddr(a); !found || name.Params["cloud"] != cloud {
			t.Errorf("%s belongs to %v, want %s", text, name, cloud)
		}
	}
	for _, text := range []string{"168.63.129.15", "168.63.129.17", "161.25.255.255", "161.27.0.0", "166.7.255.255", "166.12.0.0"} {
		if d := policy.FloorAddr(netip.MustParseAddr(text)); d.Verdict != policy.Allow {
			t.Errorf("%s: %s, %s", text, d.Verdict, d.Reason)
		}
	}
	for _, url := range []string{
		"http://168.63.129.16/machine?comp=goalstate", "http://[::ffff:a83f:8110]/", "http://[64:ff9b::a83f:8110]/", "http://metadata.goog/",
		"http://a.metadata.goog/", "http://metadata.google.internal/", "http://metadata.cloud.ibm.com/", "http://api.metadata.cloud.ibm.com/",
	} {
		if _, d := policy.FloorURL(url); d.Verdict != policy.Deny {
			t.Errorf("%s: %s by %s", url, d.Verdict, d.Rule)
		}
	}
	if _, d := policy.FloorURL("http://metadata.goog.example.com/"); d.Verdict != policy.Allow {
		t.Errorf("a name that begins like a metadata service: %s by %s", d.Verdict, d.Rule)
	}
}

// TestNAT64Answers checks answers with NAT64 addresses beside others.
func TestNAT64Answers(t *testing.T) {
	p, err := policy.New(policy.Settings{AllowedDomains: []string{"h.example"}})
	must.Succeed(t, err)
	network, err := policy.New(policy.Settings{AllowedDomains: []string{"h.example"}, AllowPrivate: []string{"64:ff9b::/96"}})
	must.Succeed(t, err)
	const good, other = "93.184.215.14", "2606:2800::1"
	for _, tt := range []struct {
		name    string
		answers []string
		want    []string // nil: denied
	}{
		{"beside the same address", []string{"64:ff9b::5db8:d70e", good}, []string{good}},
		{"after it", []string{good, "64:ff9b::5db8:d70e"}, []string{good}},
		{"beside IPv6", []string{other, "64:ff9b::808:808", good}, []string{other, good}},
		{"local, 96 bits", []string{"64:ff9b:1::808:808", good}, []string{good}},
		{"local, 48 bits", []string{"64:ff9b:1:808:8:800::", good}, []string{good}},
		{"local, 56 bits", []string{"64:ff9b:1:108:8:808::", good}, []string{good}},
		{"local, 64 bits", []string{"64:ff9b:1:1:8:808:800:0", good}, []string{good}},
		{"alone", []string{"64:ff9b::808:808"}, nil},
		{"two alone", []string{"64:ff9b::808:808", "64:ff9b:1::808:808"}, nil},
		{"of a private network", []string{"64:ff9b::a00:1", good}, nil},
		{"of this machine", []string{good, "64:ff9b::7f00:1"}, nil},
		{"of metadata", []string{good, "64:ff9b::a9fe:a9fe"}, nil},
		{"of a cloud", []string{good, "64:ff9b::a83f:8110"}, nil},
		{"of nothing", []string{good, "64:ff9b::"}, nil},
		{"local, of a private network", []string{good, "64:ff9b:1::a00:1"}, nil},
		{"local, 48 bits, of a private network", []string{good, "64:ff9b:1:a00:0:100::"}, nil},
		{"local, 64 bits, of this machine", []string{good, "64:ff9b:1:1:7f:0:100:0"}, nil},
		{"beside a private address", []string{"64:ff9b::808:808", good, "10.0.0.1"}, nil},
		{"beside another translation", []string{"64:ff9b::808:808", good, "2002:808:808::1"}, nil},
		{"of another prefix", []string{good, "64:ff9b:2::808:808"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, d := policy.DecideAnswers(p, "h.example", 443, addrs(tt.answers))
			if (d.Verdict == policy.Allow) != (tt.want != nil) {
				t.Fatalf("%s by %s: %s", d.Verdict, d.Rule, d.Reason)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("may be dialled: %v, want %v", got, tt.want)
			}
			for i, a := range addrs(tt.want) {
				if got[i] != a {
					t.Errorf("may be dialled: %v, want %v", got, tt.want)
				}
			}
		})
	}
	if got, d := policy.DecideAnswers(network, "h.example", 443, addrs([]string{"64:ff9b::808:808"})); d.Verdict != policy.Allow || len(got) != 1 {
		t.Errorf("a network whose NAT64 the user allows: %v, %s by %s", got, d.Verdict, d.Rule)
	}
	if r := (*policy.Policy)(nil).Check(policy.Check{URL: "https://h.example/", Allow: []string{"h.example"}, DNS: []string{"64:ff9b::808:808", good}}); r.Verdict != "allow" {
		t.Errorf("check: %+v", r)
	}
}

func addrs(texts []string) (out []netip.Addr) {
	for _, text := range texts {
		out = append(out, netip.MustParseAddr(text))
	}
	return out
}
