// Package linear holds a guest's linear memory: bounded, grown in place, and
// put back in microseconds to what it was when an [Image] was taken of it.
//
// # How a memory is put back
//
// What a call wrote must be undone, and what it didn't write must cost nothing.
// An image below [Small] bytes is copied over the memory. On Linux a larger one
// lives in a sealed file in memory which each guest maps copy-on-write: a page
// that was ever written has become the guest's own, and /proc/self/pagemap
// tells which those are, for eight bytes a page and without privilege. Only
// they are compared and, where they differ, copied back; they stay mapped, so
// that the next call takes no page fault on them. Elsewhere, and where the
// system refuses a mapping, the whole memory is compared and copied. As long as
// the process took no page fault since, the pages are those of the last time,
// and the table isn't read.
//
// What a call grew stays with the memory, which can't shrink, and is zeroed. A
// language's allocator takes memory that it is given for zero.
//
// All guests made from one image share its pages: beside them a guest takes
// what it has written. A guest's memory is two or three mappings of the
// process, an image one and a file handle, so that Linux's default of 65,530
// mappings is enough for some twenty thousand guests.
package linear
