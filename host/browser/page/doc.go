// Package page controls a browser and its tabs. It has each of their requests decided by
// policy.
package page
