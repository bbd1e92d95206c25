package engine

import (
	"testing"
	"time"
)

// TestPace: whatever a guest's instructions take, after a few slices one takes no
// longer than it should, and is as big as that allows.
func TestPace(t *testing.T) {
	for _, each := range []time.Duration{0, 3 * time.Nanosecond, 20 * time.Nanosecond, 150 * time.Nanosecond} {
		size := int64(firstSlice)
		for n := range 8 {
			took := time.Duration(size) * each
			if n > 0 && took > 2*slow {
				t.Errorf("%v each: slice %d of %d takes %v", each, n, size, took)
			}
			size = pace(size, took)
		}
		took := time.Duration(size) * each
		if took > slow || took < slow/4 && size < mostSlice {
			t.Errorf("%v each: slices of %d take %v", each, size, took)
		}
	}
}

// TestPaceAfterAWait: a slice in which the guest waited makes the next ones small,
// and not for long.
func TestPaceAfterAWait(t *testing.T) {
	size := pace(mostSlice, time.Hour)
	if size != leastSlice {
		t.Errorf("after an hour it is %d", size)
	}
	for range 8 {
		size = pace(size, time.Duration(size)*time.Nanosecond/2)
	}
	if size != mostSlice {
		t.Errorf("eight slices later it is %d", size)
	}
}
