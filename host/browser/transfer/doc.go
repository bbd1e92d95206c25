// Package transfer carries files between a browser and the granted folders.
package transfer
