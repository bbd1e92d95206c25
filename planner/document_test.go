package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// TestReadDocument plans goals to read a file: a document needs a tool that reads what is inside.
func TestReadDocument(t *testing.T) {
	reader := func(name, key string) plan.Capability {
		return plan.Capability{Name: name, CanAchieve: []string{"file_operation", key}, ReadOnly: true, Params: []string{"path"}}
	}
	both := []plan.Capability{reader("extract.text", plan.ReadDocument), reader("files.read", "read_file"), reader("files.hash", "hash_file")}
	for _, tt := range []struct {
		name, action, path string
		tools              []plan.Capability
		want               []string
	}{
		{"a text", "read", "/h/a.txt", both, []string{"a1 files.read{path=/h/a.txt} file_read"}},
		{"a document", "read", "/h/a.docx", both, []string{"a1 extract.text{path=/h/a.docx} file_read"}},
		{"capitals", "read", "/h/A.DOCX", both, []string{"a1 extract.text{path=/h/A.DOCX} file_read"}},
		{"an old document", "read", "/h/a.doc", both, []string{"a1 files.read{path=/h/a.doc} file_read"}},
		{"another action", "hash", "/h/a.docx", both, []string{"a1 files.hash{path=/h/a.docx} file_hashed"}},
		{"no tool for documents", "read", "/h/a.docx", both[1:], nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := withTools(request(file(tt.action, "file", tt.path)), tt.tools...)
			r.World.RecentFacts = []string{"exists:" + tt.path}
			if diff := cmp.Diff(tt.want, brief(planFor(t, r))); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
		})
	}
}
