// Package actions has the tools that work in a browser.
package actions
