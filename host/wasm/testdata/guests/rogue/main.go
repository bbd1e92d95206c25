//go:build wasip1

// Rogue is a WASI command that does what its tool's name says, mostly harm, to
// show that the host holds.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

type call struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Config map[string]any `json:"config"`
	CallID string         `json:"call_id"`
	Key    string         `json:"idempotency_key,omitempty"`
}

var sink [][]byte

func main() {
	var c call
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	switch strings.TrimPrefix(c.Tool, "rogue.") {
	case "echo":
		ok(c)
	case "loop":
		for {
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "clock":
		before := time.Now()
		time.Sleep(time.Hour)
		ok(map[string]any{"before": before.UTC(), "after": time.Now().UTC().Round(time.Minute), "slept": time.Since(before).Round(time.Minute).String()})
	case "bomb":
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			sink = append(sink, b)
		}
	case "flood":
		for {
			fmt.Println(strings.Repeat("x", 4096))
		}
	case "chatter":
		for i := range 5000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		ok(nil)
	case "exit":
		fmt.Fprintln(os.Stderr, "giving up")
		os.Exit(3)
	case "panic":
		panic("on purpose")
	case "silence":
	case "garbage":
		fmt.Println("not JSON")
	case "twice":
		ok(1)
		ok(2)
	case "no":
		fmt.Println(`{"ok":false,"error":{"code":"busy","message":"the printer in /root/0/printer is busy","recoverable":true,"retriable":true}}`)
	case "no_reason":
		fmt.Println(`{"ok":false}`)
	case "no_and_exit":
		fmt.Println(`{"ok":false,"error":{"class":"validation_error","code":"late","message":"too late"}}`)
		os.Exit(1)
	case "facts":
		fmt.Println(`{"ok":true,"facts":["exists:/root/0/a","!exists:/root/0/../../etc","exists:/etc/passwd","exists:/root/7/x","browser_running"]}`)
	case "world":
		b := make([]byte, 16)
		rand.Read(b)
		wd, _ := os.Getwd()
		ok(map[string]any{"time": time.Now().Unix(), "random": hex.EncodeToString(b), "env": os.Environ(), "args": len(os.Args), "wd": wd})
	case "read":
		b, err := os.ReadFile(c.Args["path"].(string))
		ok(map[string]any{"content": string(b), "error": fmt.Sprint(err)})
	case "write":
		ok(map[string]any{"error": fmt.Sprint(os.WriteFile(c.Args["path"].(string), []byte("mine"), 0o600))})
	case "say", "look":
		fmt.Println(c.Args["answer"])
	case "look_and_write":
		err := os.WriteFile(c.Args["path"].(string), []byte("mine"), 0o600)
		json.NewEncoder(os.Stdout).Encode(map[string]any{"state": "committed", "payload": fmt.Sprint(err)})
	case "fds":
		n := 0
		for ; n < 100000; n++ {
			f, err := os.Open(c.Args["path"].(string))
			if err != nil {
				break
			}
			defer f.Close()
		}
		ok(n)
	case "dir":
		entries, err := os.ReadDir(c.Args["path"].(string))
		names := []string{}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		ok(map[string]any{"names": names, "error": fmt.Sprint(err)})
	default:
		os.Exit(8)
	}
}

func ok(payload any) {
	json.NewEncoder(os.Stdout).Encode(map[string]any{"ok": true, "payload": payload})
}
