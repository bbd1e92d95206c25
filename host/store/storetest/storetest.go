// Package storetest is the contract of [store.Store] as tests, together with
// tracetest for runs and eventtest for the journal. Every implementation runs it.
package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"errand/host/event"
	"errand/host/event/eventtest"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace/tracetest"
)

// Place makes an empty place for a store and returns a function that opens a store
// there. Each call of that function stands for another program that uses the place,
// and the test closes what it opened. now is the stores' clock.
type Place func(t *testing.T, now func() time.Time) (open func() store.Store)

// Run tests the stores of places.
func Run(t *testing.T, place Place) {
	open := func(t *testing.T) store.Store { return place(t, time.Now)() }
	t.Run("runs", func(t *testing.T) { tracetest.Run(t, func(t *testing.T) tracetest.Log { return open(t) }) })
	t.Run("journal", func(t *testing.T) { eventtest.Run(t, func(t *testing.T) event.Journal { return open(t) }) })
	t.Run("drafts", func(t *testing.T) { Drafts(t, place) })
	t.Run("grants", func(t *testing.T) { Grants(t, place) })
	t.Run("facts", func(t *testing.T) { Facts(t, place) })
	t.Run("retention", func(t *testing.T) { Retention(t, place) })
}

// codeOf is the code of an error, and "<nil>" of none.
func codeOf(err error) string {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}
