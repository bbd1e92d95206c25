// Package run carries plans out. A [Dispatcher] is the one door for every call
// of a tool, whoever asks: schema → business check → floor and rules → ask →
// execute → record. An [Engine] takes a plan's actions through it in the order
// of their dependencies.
//
// Nothing gets past the door as anything but a typed result and a recorded
// step: no Go error, no panic of a tool, no call without a deadline.
package run
