package run

import "errand/planner/message"

// catchPanic calls f and converts a panic into an error.
func catchPanic[T any](f func() T) (T, error) {
	return catchPanicErr(func() (T, error) { return f(), nil })
}

// catchPanicErr is catchPanic for a function that returns an error.
func catchPanicErr[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = message.Error("run.panic", "cause", p)
		}
	}()
	return f()
}
