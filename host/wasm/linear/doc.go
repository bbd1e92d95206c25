// Package linear provides the linear memory of a guest. A memory has a limit, grows in
// place, and can be restored to an [Image] in microseconds.
//
// # Restoring
//
// Restoring undoes what a call wrote, and should cost nothing for the rest. An image
// below [Small] bytes is copied over the memory. On Linux a larger image is a sealed
// file in memory, and each guest maps it copy-on-write. A page that the guest writes
// becomes private to it, and /proc/self/pagemap lists private pages without special
// permissions. Restore copies only these pages. They stay mapped, so the next call has
// no page faults on them. While the process has no page fault, the list stays the same
// and Restore does not read it again. On other systems, and if mapping fails, Restore
// compares the whole memory with the image.
//
// A memory can't shrink. Restore zeroes the pages that a call added, because a guest's
// allocator expects new memory to be zero.
//
// All guests of an image share its pages, so each uses only what it has written. A
// guest's memory needs two or three mappings, and an image one mapping and one open
// file. Linux's default limit of 65,530 mappings allows about twenty thousand guests.
package linear
