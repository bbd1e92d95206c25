//go:build unix && !darwin

package system

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"time"

	"errand/planner/message"
)

const (
	opGetImage  = 73
	zPixmap     = 2
	captureWait = 10 * time.Second
	// maxImage limits the reply with a part of the screen, in bytes.
	maxImage = 4 << 20
)

// CaptureScreen takes a picture of the root window of the X server in DISPLAY, as PNG.
func CaptureScreen(ctx context.Context) ([]byte, error) {
	deadline := time.Now().Add(captureWait)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	x, err := dialX(os.Getenv("DISPLAY"), deadline)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if x.pixelBits != 32 || x.depth < 24 || x.isBigEndian || x.width == 0 || x.height == 0 {
		return nil, message.Error("system.screen_format", "depth", x.depth)
	}
	x.limit = maxImage
	width, height := int(x.width), int(x.height)
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	strip := max(1, maxImage/(4*width)-1) // rows of a request
	for top := 0; top < height; top += strip {
		rows := min(strip, height-top)
		pixels := x.image(top, rows)
		if len(pixels) < 4*width*rows {
			if x.err == nil {
				x.err = io.ErrUnexpectedEOF
			}
			return nil, x.err
		}
		out := picture.Pix[top*picture.Stride:]
		for i := range width * rows { // blue, green, red, unused
			out[4*i], out[4*i+1], out[4*i+2], out[4*i+3] = pixels[4*i+2], pixels[4*i+1], pixels[4*i], 0xff
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, picture)
	return b.Bytes(), err
}

// image reads rows of the root window.
func (x *xConn) image(top, rows int) []byte {
	req := []byte{opGetImage, zPixmap, 0, 0}
	req = little.AppendUint32(req, x.root)
	for _, v := range []int{0, top, int(x.width), rows} {
		req = little.AppendUint16(req, uint16(v))
	}
	reply := x.ask(little.AppendUint32(req, 0xffffffff))
	if len(reply) < 32 {
		return nil
	}
	return reply[32:]
}
