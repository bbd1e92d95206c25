// Package desktop is the API of the page, in the window (package shell) and in a browser
// (package web).
//
// The state is kept here, not in the page. [API] holds every run as a flat, JSON-tagged view.
// It numbers each change of it and sends the change as a [RunEvent]. A page that missed a
// change reads the run again with [API.Get]. [Life] has the methods for the program itself.
//
// The package's test generates the TypeScript types, frontend/src/lib/api.ts, from the Go
// types; see typescript_test.go.
package desktop
