// Package document represents the content of a tab: its frames, the elements that a
// locator matches, their readiness for actions, and input to them.
package document
