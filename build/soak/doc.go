// Package soak keeps a job server busy for a long time and checks that nothing adds up: memory,
// goroutines, open files, processes and temporary files. It has only a test: make soak DURATION=1h.
package soak
