package policy

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rfc is the first document that a registry's row names.
var rfc = regexp.MustCompile(`\[RFC(\d+)\]`)

// generated is addr_iana.go as the copies of the registries make it.
func generated(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintln(&b, "// Code generated from testdata/iana by TestTableIsGenerated with UPDATE=1. DO NOT EDIT.")
	fmt.Fprintln(&b, "\npackage policy")
	fmt.Fprintln(&b, "\n// ianaBlocks are all rows of the IANA special-purpose address registries.")
	fmt.Fprintln(&b, "var ianaBlocks = blocks(")
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
	fmt.Fprintln(&b, ")")
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestTableIsGenerated: the table that decisions are made by is the one that
// the registries say. UPDATE=1 writes it anew.
func TestTableIsGenerated(t *testing.T) {
	const file = "addr_iana.go"
	want := generated(t)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what testdata/iana makes (-want +got); run with UPDATE=1:\n%s", file, diff)
	}
}
