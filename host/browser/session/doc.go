// Package session has what people ask of a browser that stays open: which of its tabs they mean,
// where a text is on the page, and how large the page is shown.
package session
