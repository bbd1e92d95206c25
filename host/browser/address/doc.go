// Package address formats URLs and texts of pages for people.
package address
