// Package run executes plans. A [Dispatcher] handles every tool call in the same
// order: schema, business check, policy, approval, execution, record. An [Engine]
// dispatches a plan's actions in the order of their dependencies.
//
// Each dispatched call ends with a typed result and a recorded step. The
// dispatcher converts Go errors and panics of tools and gives every call a
// deadline.
package run
