package linear

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxPopulate is how much of an addition to a memory is populated, in bytes. The kernel
// populates pages while Go's garbage collector runs. A page that the guest touches
// first delays the collector.
const maxPopulate = 8 << 20

// populatePiece is how many bytes are populated at a time. A page can take ten
// microseconds if a virtual machine has to request it from its host.
const populatePiece = 256 << 10

var pageSize = uint64(os.Getpagesize())

// mapping is reserved address space. Only committed pages are accessible.
type mapping []byte

func reserve(size uint64) (mapping, error) {
	if size == 0 || size%Page != 0 {
		return nil, unix.EINVAL
	}
	return unix.Mmap(-1, 0, int(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
}

// commit makes a range of whole pages usable. They are zero.
func (r mapping) commit(from, to uint64) error {
	return unix.Mprotect(r[from:to], unix.PROT_READ|unix.PROT_WRITE)
}

// populate provides the first pages of a committed range, piece by piece, and calls
// pause after each.
func (r mapping) populate(from, to uint64, pause func()) {
	to = min(to, from+maxPopulate)
	for from < to {
		next := min(to, from+populatePiece)
		if unix.Madvise(r[from:next], unix.MADV_POPULATE_WRITE) != nil { // not before Linux 5.14
			return
		}
		pause()
		from = next
	}
}

// discard returns a range of whole pages to the system. The range then has its mapped
// content again.
func (r mapping) discard(from, to uint64) error {
	if from == to {
		return nil
	}
	return unix.Madvise(r[from:to], unix.MADV_DONTNEED)
}

func (r mapping) release() {
	if r != nil {
		_ = unix.Munmap(r)
	}
}

// file is a sealed memory file. The zero value means no file.
type file struct{ handle *os.File }

// newFile makes a file with the data and maps it for reading. If the system can't make
// one, the result is nil.
func newFile(data []byte) ([]byte, file) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate("plugin", flags|unix.MFD_NOEXEC_SEAL)
	if err == unix.EINVAL { // before Linux 6.3
		fd, err = unix.MemfdCreate("plugin", flags)
	}
	if err != nil {
		return nil, file{}
	}
	f := file{os.NewFile(uintptr(fd), "plugin")}
	mapped, err := f.fill(data)
	if err != nil {
		f.handle.Close()
		return nil, file{}
	}
	return mapped, f
}

func (f file) fill(data []byte) ([]byte, error) {
	if err := f.handle.Truncate(int64(len(data))); err != nil {
		return nil, err
	}
	for at := 0; at < len(data); at += Page {
		if page := data[at : at+Page]; string(page) != string(zeroes[:]) { // a zero page stays a hole
			if _, err := f.handle.WriteAt(page, int64(at)); err != nil {
				return nil, err
			}
		}
	}
	fd := int(f.handle.Fd())
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS,
		unix.F_SEAL_WRITE|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		return nil, err
	}
	return unix.Mmap(fd, 0, len(data), unix.PROT_READ, unix.MAP_PRIVATE) // a shared one of a sealed file needs Linux 6.7
}

// mapInto replaces the start of a mapping with the file, copy-on-write.
func (f file) mapInto(over []byte) error {
	if f.handle == nil || pagemap() == nil {
		return unix.ENOSYS
	}
	_, err := unix.MmapPtr(int(f.handle.Fd()), 0, unsafe.Pointer(unsafe.SliceData(over)), uintptr(len(over)),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	return err
}

func (f file) release(mapped []byte) {
	if f.handle != nil {
		_ = unix.Munmap(mapped)
		f.handle.Close()
	}
}
