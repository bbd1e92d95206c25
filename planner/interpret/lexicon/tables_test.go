package lexicon

import (
	"reflect"
	"testing"

	"errand/build/must"
)

// TestTablesAreCurrent compares the generated file with its sources. Without the file, or if
// the data changed, the program reads the data.
func TestTablesAreCurrent(t *testing.T) {
	if !isBuilt() {
		t.Skip("not generated, or not from this data: run make tables")
	}
	want, err := Tables()
	must.Succeed(t, err)
	if !reflect.DeepEqual(*built, want) {
		t.Error("built.go is out of date: run make tables")
	}
}
