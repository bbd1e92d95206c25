package special_test

import (
	"encoding/csv"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"

	"errand/build/must"
	"errand/policy"
)

// registries are the copies in testdata/iana.
var registries = []string{"iana-ipv4-special-registry-1.csv", "iana-ipv6-special-registry-1.csv"}

// ianaRow is one row of a registry.
type ianaRow struct {
	blocks    []netip.Prefix
	name, rfc string
}

// ianaRows reads a copy of an IANA registry.
func ianaRows(t testing.TB, file string) []ianaRow {
	t.Helper()
	f, err := os.Open("testdata/iana/" + file)
	must.Succeed(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 20 || rows[0][0] != "Address Block" || rows[0][1] != "Name" || rows[0][2] != "RFC" {
		t.Fatalf("%s is not a registry: %v", file, err)
	}
	var out []ianaRow
	for _, row := range rows[1:] {
		r := ianaRow{name: row[1], rfc: row[2]}
		for text := range strings.SplitSeq(row[0], ",") {
			text, _, _ = strings.Cut(strings.TrimSpace(text), " ") // a footnote
			r.blocks = append(r.blocks, netip.MustParsePrefix(text))
		}
		out = append(out, r)
	}
	return out
}

func ianaPrefixes(t testing.TB, file string) (out []netip.Prefix) {
	t.Helper()
	for _, row := range ianaRows(t, file) {
		out = append(out, row.blocks...)
	}
	return out
}

// specialPrefixes lists the blocks of the registries' copies and of other registries.
func specialPrefixes(t testing.TB) []netip.Prefix {
	all := append(ianaPrefixes(t, registries[0]), ianaPrefixes(t, registries[1])...)
	for _, text := range []string{
		"224.0.0.0/4", "ff00::/8", "fec0::/10", "::/96", "::ffff:0:0:0/96", // multicast, site-local, embedded
		"168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14", // clouds
		"::/3", "4000::/2", "8000::/1", // all but 2000::/3
	} {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

func lastAddr(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 1 << (7 - i%8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

// TestAddrBoundaries checks the addresses right before, at and after both ends of
// each block.
func TestAddrBoundaries(t *testing.T) {
	blocks := specialPrefixes(t)
	checked, public := 0, 0
	for _, b := range blocks {
		for _, a := range []netip.Addr{b.Addr().Prev(), b.Addr(), lastAddr(b), lastAddr(b).Next()} {
			if !a.IsValid() {
				continue // no address before 0.0.0.0 or after 255.255.255.255
			}
			want := policy.Allow
			for _, other := range blocks {
				if other.Contains(a) || a.Is4In6() {
					want = policy.Deny
				}
			}
			if d := policy.FloorAddr(a); d.Verdict != want {
				t.Errorf("%s at the edge of %s: %v (%s), want %v", a, b, d.Verdict, d.Reason, want)
			}
			checked++
			if want == policy.Allow {
				public++
			}
		}
	}
	if checked < 200 || public < 40 {
		t.Errorf("checked %d addresses, %d of them public; the registries were not read", checked, public)
	}
}

// TestEveryRowHasAName checks that a refusal names the block of the address.
func TestEveryRowHasAName(t *testing.T) {
	for _, b := range specialPrefixes(t)[:len(specialPrefixes(t))-3] {
		if d := policy.FloorAddr(b.Addr()); d.Verdict != policy.Deny || d.Reason.Params["block"] == nil || strings.Contains(d.Reason.String(), "policy.block_outside") {
			t.Errorf("%s: %s; give %s a line in the table", b.Addr(), d.Reason, b)
		}
	}
}

// TestEmbeddedAddresses wraps public addresses and one of every IPv4 block in every
// form that embeds an IPv4 address in an IPv6 address.
func TestEmbeddedAddresses(t *testing.T) {
	inner := []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("93.184.215.14")}
	for _, b := range ianaPrefixes(t, registries[0]) {
		inner = append(inner, b.Addr(), lastAddr(b))
	}
	forms := map[string]func([4]byte) string{
		"mapped":     func(b [4]byte) string { return fmt.Sprintf("::ffff:%x:%x", pair(b[:2]), pair(b[2:])) },
		"compatible": func(b [4]byte) string { return fmt.Sprintf("::%x:%x", pair(b[:2]), pair(b[2:])) },
		"translated": func(b [4]byte) string { return fmt.Sprintf("::ffff:0:%x:%x", pair(b[:2]), pair(b[2:])) },
		"NAT64":      func(b [4]byte) string { return fmt.Sprintf("64:ff9b::%x:%x", pair(b[:2]), pair(b[2:])) },
		"local NAT64": func(b [4]byte) string {
			return fmt.Sprintf("64:ff9b:1::%x:%x", pair(b[:2]), pair(b[2:]))
		},
		"6to4": func(b [4]byte) string { return fmt.Sprintf("2002:%x:%x::1", pair(b[:2]), pair(b[2:])) },
		"Teredo": func(b [4]byte) string {
			return fmt.Sprintf("2001:0:4136:e378:8000:63bf:%x:%x", pair(b[:2])^0xffff, pair(b[2:])^0xffff)
		},
		"ISATAP":          func(b [4]byte) string { return fmt.Sprintf("2606:4700::5efe:%x:%x", pair(b[:2]), pair(b[2:])) },
		"ISATAP, unique":  func(b [4]byte) string { return fmt.Sprintf("2606:4700::200:5efe:%x:%x", pair(b[:2]), pair(b[2:])) },
		"ISATAP, group":   func(b [4]byte) string { return fmt.Sprintf("2606:4700::100:5efe:%x:%x", pair(b[:2]), pair(b[2:])) },
		"link-local form": func(b [4]byte) string { return fmt.Sprintf("fe80::5efe:%x:%x", pair(b[:2]), pair(b[2:])) },
	}
	for name, form := range forms {
		for _, a := range inner {
			wrapped := netip.MustParseAddr(form(a.As4()))
			if d := policy.FloorAddr(wrapped); d.Verdict != policy.Deny {
				t.Errorf("%s of %s, %s: %v", name, a, wrapped, d.Verdict)
			}
			if _, d := policy.FloorURL("http://[" + wrapped.String() + "]/"); d.Verdict != policy.Deny {
				t.Errorf("%s of %s as a URL: %v", name, a, d.Verdict)
			}
		}
	}
}

func pair(b []byte) int { return int(b[0])<<8 | int(b[1]) }

func TestInvalidAddress(t *testing.T) {
	for _, a := range []netip.Addr{{}, netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("2606:4700::1%eth0")} {
		if d := policy.FloorAddr(a); d.Verdict != policy.Deny {
			t.Errorf("%s: %v", a, d.Verdict)
		}
	}
}
