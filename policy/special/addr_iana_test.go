package special_test

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
)

// rfc matches the first document that a row of a registry names.
var rfc = regexp.MustCompile(`\[RFC(\d+)\]`)

// generateTable generates addr_iana.go from the copies of the registries.
func generateTable(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, "// Code generated from testdata/iana by TestTableIsGenerated with UPDATE=1. DO NOT EDIT.")
	fmt.Fprintln(&b, "\npackage special")
	fmt.Fprintln(&b, "\n// ianaBlocks has all rows of the IANA special-purpose address registries: prefixes and names.")
	fmt.Fprintln(&b, "var ianaBlocks = []string{")
	for _, file := range registries {
		fmt.Fprintf(&b, "// %s\n", file)
		for _, row := range ianaRows(t, file) {
			name := strings.Trim(row.name, `"`)
			if m := rfc.FindStringSubmatch(row.rfc); m != nil {
				name += " (RFC " + m[1] + ")"
			}
			for _, p := range row.blocks {
				fmt.Fprintf(&b, "%q, %q,\n", p, name)
			}
		}
	}
	fmt.Fprintln(&b, "}")
	src, err := format.Source(b.Bytes())
	must.Succeed(t, err)
	return src
}

// TestTableIsGenerated checks that addr_iana.go agrees with the registries.
// UPDATE=1 writes it.
func TestTableIsGenerated(t *testing.T) {
	const file = "addr_iana.go"
	want := generateTable(t)
	if os.Getenv("UPDATE") != "" {
		must.Succeed(t, os.WriteFile(file, want, 0o644))
	}
	got := must.ReadFile(t, file)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs from testdata/iana (-want +got); run with UPDATE=1:\n%s", file, diff)
	}
}
