//go:build race

package planner

// raced says that the tests run ten times slower, looking for races.
const raced = true
