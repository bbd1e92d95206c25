// Package desktop is what a page may ask of the program, whether it stands in the
// window (package shell) or in a browser (package web).
//
// The truth is kept here and not in the page: [API] holds every run as a flat,
// JSON-tagged view, numbers each change of it and sends the change as a
// [RunEvent]; a page that missed one asks again with [API.Get]. What only the
// program itself may do is [Life]'s.
//
// The TypeScript face of all this, frontend/src/lib/api.ts, is generated from
// the Go types by the package's test; see typescript_test.go.
package desktop
