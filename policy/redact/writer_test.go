package redact_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/policy/redact"
)

func TestWriterSeesWholeSecrets(t *testing.T) {
	const log = "start\npassword=fakePassw0rd\n-----BEGIN PRIVATE KEY-----\nFAKEfakeFAKEfakeLINE1\nFAKEfakeFAKEfakeLINE2\n-----END PRIVATE KEY-----\nend without newline token=fakeValue0123456789"
	var r *redact.Redactor
	want := r.Text(log)
	for _, size := range []int{1, 2, 3, 7, 20, len(log)} {
		t.Run(fmt.Sprintf("S3-H26 written in pieces of %d", size), func(t *testing.T) {
			var out bytes.Buffer
			w := r.Writer(&out)
			for rest := log; rest != ""; {
				n := min(size, len(rest))
				if wrote, err := w.Write([]byte(rest[:n])); err != nil || wrote != n {
					t.Fatalf("Write = %d, %v", wrote, err)
				}
				rest = rest[n:]
			}
			must.Succeed(t, w.Close())
			if diff := cmp.Diff(want, out.String()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriterHoldsNoMoreThanItsLimit(t *testing.T) {
	var out bytes.Buffer
	w := (*redact.Redactor)(nil).Writer(&out)
	for range 1000 {
		if _, err := w.Write(bytes.Repeat([]byte("word "), 200)); err != nil {
			t.Fatal(err)
		}
	}
	if out.Len() < 500_000 {
		t.Errorf("of 1 MB without a newline only %d bytes were passed on", out.Len())
	}
}
