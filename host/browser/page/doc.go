// Package page is a browser and its tabs. It decides on each of their requests.
package page
