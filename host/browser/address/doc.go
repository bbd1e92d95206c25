// Package address writes addresses and texts of pages as people read them.
package address
