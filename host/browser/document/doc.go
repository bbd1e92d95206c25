// Package document is what a tab shows: its frames, the elements that a locator
// names, whether they are ready to be acted on, and input to them.
package document
