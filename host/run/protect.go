package run

import (
	"errand/planner/message"
)

// protect calls f and converts a panic into an error.
func protect[T any](f func() T) (T, error) {
	return protect2(func() (T, error) { return f(), nil })
}

// protect2 is protect for a function that returns an error.
func protect2[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = message.Error("run.panic", "cause", p)
		}
	}()
	return f()
}
