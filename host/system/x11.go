//go:build unix && !darwin

package system

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"errand/planner/message"
)

// xConn implements the three requests of the X11 protocol (X Window System
// Protocol, version 11, encoding appendix) that read properties, over the local
// socket only. A library would add 120 other requests and no deadline.
//
// After the first error every method does nothing; err has the error.
type xConn struct {
	conn net.Conn
	root uint32
	err  error

	width, height uint16 // of the root window, in pixels
	depth         byte   // of the root window
	pixelBits     byte   // of a pixel of that depth in an image
	isBigEndian   bool   // images are
	limit         int64  // of a reply, in bytes
}

// Opcodes and atoms of the core protocol.
const (
	opInternAtom  = 16
	opGetProperty = 20
	atomWMClass   = 67
)

// maxReply limits a reply and a property, in bytes.
const maxReply = 64 << 10

var little = binary.LittleEndian

// dialX connects to a display of this machine (":0", "unix:1.0"). It refuses
// remote displays, which need a network connection.
func dialX(display string, deadline time.Time) (*xConn, error) {
	number, ok := displayNumber(display)
	if !ok {
		return nil, message.Error("system.display_not_local", "display", display)
	}
	dialer := net.Dialer{Deadline: deadline}
	conn, err := dialer.Dial("unix", "/tmp/.X11-unix/X"+number)
	if err != nil {
		return nil, err
	}
	x := &xConn{conn: conn, limit: maxReply}
	if err := errors.Join(conn.SetDeadline(deadline), x.setup(number)); err != nil {
		conn.Close()
		return nil, err
	}
	return x, nil
}

func displayNumber(display string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(display, "unix"), ":")
	number, _, _ := strings.Cut(rest, ".")
	if _, err := strconv.ParseUint(number, 10, 16); err != nil || !ok {
		return "", false
	}
	return number, true
}

func (x *xConn) close() { x.conn.Close() }

// setup does the handshake and finds the first screen's root window.
func (x *xConn) setup(display string) error {
	name, data := cookie(display)
	hello := []byte{'l', 0}
	for _, v := range []uint16{11, 0, uint16(len(name)), uint16(len(data)), 0} {
		hello = little.AppendUint16(hello, v)
	}
	hello = append(pad(append(hello, name...)), data...)
	if _, err := x.conn.Write(pad(hello)); err != nil {
		return err
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(x.conn, head); err != nil {
		return err
	}
	body := make([]byte, 4*int(little.Uint16(head[6:])))
	if _, err := io.ReadFull(x.conn, body); err != nil {
		return err
	}
	if head[0] != 1 {
		return message.Error("system.x11_refused")
	}
	// 32 fixed bytes, vendor name, pixmap formats, screens.
	if len(body) < 32 {
		return io.ErrUnexpectedEOF
	}
	vendor, formats := int(little.Uint16(body[16:])), int(body[21])
	screen := 32 + (vendor+3)/4*4 + 8*formats
	if len(body) < screen+4 {
		return io.ErrUnexpectedEOF
	}
	x.root = little.Uint32(body[screen:])
	if len(body) >= screen+40 {
		x.width, x.height, x.depth = little.Uint16(body[screen+20:]), little.Uint16(body[screen+22:]), body[screen+38]
	}
	for format := screen - 8*formats; format < screen; format += 8 {
		if body[format] == x.depth {
			x.pixelBits = body[format+1]
		}
	}
	x.isBigEndian = body[22] == 1
	return nil
}

// atom returns the number of a name, or 0 if no client has used the name.
func (x *xConn) atom(name string) uint32 {
	req := []byte{opInternAtom, 1 /* only if it exists */, 0, 0}
	req = little.AppendUint16(req, uint16(len(name)))
	req = append(req, 0, 0)
	reply := x.ask(append(req, name...))
	if len(reply) < 12 {
		return 0
	}
	return little.Uint32(reply[8:])
}

// property reads a window's property of any type. It returns nil if it is not set.
func (x *xConn) property(window, property uint32) []byte {
	if property == 0 {
		return nil
	}
	req := []byte{opGetProperty, 0, 0, 0}
	for _, v := range []uint32{window, property, 0 /* any type */, 0 /* offset */, maxReply / 8} {
		req = little.AppendUint32(req, v)
	}
	reply := x.ask(req)
	if len(reply) < 32 {
		return nil
	}
	size := int(little.Uint32(reply[16:])) * int(reply[1]) / 8
	return reply[32:min(32+size, len(reply))]
}

// ask sets a request's length, sends it and reads the reply. An error of the
// server, for example about a closed window, is an empty reply.
func (x *xConn) ask(req []byte) []byte {
	if x.err != nil {
		return nil
	}
	req = pad(req)
	little.PutUint16(req[2:], uint16(len(req)/4))
	if _, x.err = x.conn.Write(req); x.err != nil {
		return nil
	}
	for {
		reply := make([]byte, 32)
		if _, x.err = io.ReadFull(x.conn, reply); x.err != nil {
			return nil
		}
		switch reply[0] {
		case 0:
			return nil
		case 1:
			more := 4 * int64(little.Uint32(reply[4:]))
			if more > x.limit {
				x.err = message.Error("system.x11_reply_size", "size", more)
				return nil
			}
			rest := make([]byte, more)
			_, x.err = io.ReadFull(x.conn, rest)
			return append(reply, rest...)
		}
		// Skip an event.
	}
}

func pad(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// cookie returns the display's MIT-MAGIC-COOKIE-1 from the authority file of
// Xau(3). Both results are empty if there is none.
func cookie(display string) (name, data string) {
	file := os.Getenv("XAUTHORITY")
	if file == "" {
		file = filepath.Join(homeDir(), ".Xauthority")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", ""
	}
	return findCookie(b, display)
}

// findCookie reads entries of a family and four counted strings: address, display
// number, name, data. An empty number matches every display.
func findCookie(b []byte, display string) (name, data string) {
	for len(b) > 2 {
		b = b[2:] // skip the family: on this machine any of them opens the socket
		var fields [4]string
		for i := range fields {
			if len(b) < 2 {
				return "", ""
			}
			n := int(binary.BigEndian.Uint16(b))
			if len(b) < 2+n {
				return "", ""
			}
			fields[i], b = string(b[2:2+n]), b[2+n:]
		}
		if (fields[1] == display || fields[1] == "") && fields[2] == "MIT-MAGIC-COOKIE-1" {
			return fields[2], fields[3]
		}
	}
	return "", ""
}
