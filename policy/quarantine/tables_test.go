package quarantine

import (
	"reflect"
	"testing"
)

// TestTablesAreCurrent compares the generated file with its sources. Without the file, or if
// the rules changed, the program reads the rules.
func TestTablesAreCurrent(t *testing.T) {
	if built == nil || built.from != checksum() {
		t.Skip("not generated, or not from these rules: run make tables")
	}
	if !reflect.DeepEqual(*built, makeTables()) {
		t.Error("built.go is out of date: run make tables")
	}
}
