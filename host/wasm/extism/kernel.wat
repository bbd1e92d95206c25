;; The memory that a plugin shares with its host, and the functions by which it
;; works on it: the half of the module "extism:host/env" that needs no host.
;; Every plugin instance has an instance of this of its own and is linked to it,
;; so that a load or a store is a call from one module into the other and no Go.
;; The other half (configuration, variables, HTTP, log) is imported from Go and
;; exported again: the engine resolves that while it links.
;;
;; A handle is the address of a block's first byte. Blocks lie one after the
;; other, each behind a header of eight bytes: its length, then a mark made of
;; its handle, by which a handle is told from any other number. Nothing is handed
;; out twice before the next call, because PDKs free blocks that the host has
;; freed and read blocks that they have freed.
;;
;;   0        16        24             top               limit
;;   | no     | scratch | header, data | ... free ...    |
;;
;; This code isn't metered. So no function of it loops or touches more than a few
;; words: zeroing is the host's part (it is told "top", below which alone anything
;; can have been written), and memory grows at least twofold.
(module
  (import "errand:extism" "config_get" (func $config_get (param i64) (result i64)))
  (import "errand:extism" "var_get" (func $var_get (param i64) (result i64)))
  (import "errand:extism" "var_set" (func $var_set (param i64 i64)))
  (import "errand:extism" "http_request" (func $http_request (param i64 i64) (result i64)))
  (import "errand:extism" "http_status_code" (func $http_status_code (result i32)))
  (import "errand:extism" "http_headers" (func $http_headers (result i64)))
  (import "errand:extism" "log_trace" (func $log_trace (param i64)))
  (import "errand:extism" "log_debug" (func $log_debug (param i64)))
  (import "errand:extism" "log_info" (func $log_info (param i64)))
  (import "errand:extism" "log_warn" (func $log_warn (param i64)))
  (import "errand:extism" "log_error" (func $log_error (param i64)))
  (import "errand:extism" "get_log_level" (func $get_log_level (result i32)))
  (import "errand:extism" "reset" (func $reset (param) (result)))

  (export "config_get" (func $config_get))
  (export "var_get" (func $var_get))
  (export "var_set" (func $var_set))
  (export "http_request" (func $http_request))
  (export "http_status_code" (func $http_status_code))
  (export "http_headers" (func $http_headers))
  (export "log_trace" (func $log_trace))
  (export "log_debug" (func $log_debug))
  (export "log_info" (func $log_info))
  (export "log_warn" (func $log_warn))
  (export "log_error" (func $log_error))
  (export "get_log_level" (func $get_log_level))
  (export "reset" (func $reset))

  (memory 1 65536)

  ;; What the host reads and sets without a call. Plugins can't import it.
  (global $limit (export "limit") (mut i64) (i64.const 0))       ;; alloc answers 0 beyond it
  (global $touched (export "touched") (mut i32) (i32.const 0))   ;; 0: but for the scratch, all is as prepare leaves it without an input
  (global $refused (export "refused") (mut i32) (i32.const 0))   ;; 1: an alloc was
  (global $top (export "top") (mut i64) (i64.const 24))          ;; end of the last block
  (global $input (mut i64) (i64.const 0))
  (global $input_size (mut i64) (i64.const 0))
  (global $output (export "output") (mut i64) (i64.const 0))
  (global $output_size (export "output_size") (mut i64) (i64.const 0))
  (global $error (export "error") (mut i64) (i64.const 0))
  (global $error_size (export "error_size") (mut i64) (i64.const 0))

  ;; prepare starts a call: nothing allocated but an input of n bytes, which the
  ;; host fills. Answers its handle, 0 for none and where the limit is reached.
  (func (export "prepare") (param $n i64) (result i64)
    (global.set $touched (i32.const 0))
    (global.set $refused (i32.const 0))
    (global.set $top (i64.const 24))
    (global.set $output (i64.const 0))
    (global.set $output_size (i64.const 0))
    (global.set $error (i64.const 0))
    (global.set $error_size (i64.const 0))
    (global.set $input (call $alloc (local.get $n)))
    (global.set $input_size
      (select (local.get $n) (i64.const 0) (i64.ne (global.get $input) (i64.const 0))))
    (global.get $input))

  ;; Blocks.

  (func $alloc (export "alloc") (param $n i64) (result i64)
    (local $at i64)
    (local $end i64)
    (if (i64.eqz (local.get $n)) (then (return (i64.const 0))))
    (global.set $touched (i32.const 1))
    (local.set $at (i64.add (global.get $top) (i64.const 8)))
    (if (i32.or
          (i64.gt_u (local.get $at) (global.get $limit))
          (i64.gt_u (local.get $n) (i64.sub (global.get $limit) (local.get $at))))
      (then (global.set $refused (i32.const 1)) (return (i64.const 0))))
    (local.set $end
      (i64.and (i64.add (i64.add (local.get $at) (local.get $n)) (i64.const 7)) (i64.const -8)))
    (if (i64.gt_u (local.get $end) (call $memory_bytes))
      (then
        (if (i32.eqz (call $grow (local.get $end)))
          (then (global.set $refused (i32.const 1)) (return (i64.const 0))))))
    (i32.store (i32.wrap_i64 (global.get $top)) (i32.wrap_i64 (local.get $n)))
    (i32.store offset=4 (i32.wrap_i64 (global.get $top)) (call $mark (local.get $at)))
    (global.set $top (local.get $end))
    (local.get $at))

  ;; grow makes the memory at least end bytes long, twice as long where the limit
  ;; has room for it.
  (func $grow (param $end i64) (result i32)
    (local $have i32)
    (local $need i32)
    (local $want i32)
    (local.set $have (memory.size))
    (local.set $need (call $pages (local.get $end)))
    (local.set $want (i32.shl (local.get $have) (i32.const 1)))
    (if (i32.gt_u (local.get $want) (call $pages (global.get $limit)))
      (then (local.set $want (call $pages (global.get $limit)))))
    (if (i32.gt_u (local.get $want) (local.get $need))
      (then
        (if (i32.ne (memory.grow (i32.sub (local.get $want) (local.get $have))) (i32.const -1))
          (then (return (i32.const 1))))))
    (i32.ne (memory.grow (i32.sub (local.get $need) (local.get $have))) (i32.const -1)))

  (func $pages (param $bytes i64) (result i32)
    (i32.wrap_i64 (i64.shr_u (i64.add (local.get $bytes) (i64.const 65535)) (i64.const 16))))

  ;; A block in use is marked with its handle xor "kern". The host reads as well
  ;; those that were freed, whose mark is the handle xor "free".
  (func $mark (param $at i64) (result i32)
    (i32.xor (i32.wrap_i64 (local.get $at)) (i32.const 0x6b65726e)))

  ;; used reports whether a block in use starts at the handle.
  (func $used (param $at i64) (result i32)
    (if (i32.or
          (i64.lt_u (local.get $at) (i64.const 32))
          (i64.ge_u (local.get $at) (global.get $top)))
      (then (return (i32.const 0))))
    (i32.eq
      (i32.load (i32.wrap_i64 (i64.sub (local.get $at) (i64.const 4))))
      (call $mark (local.get $at))))

  (func $free (export "free") (param $at i64)
    (if (call $used (local.get $at))
      (then
        (i32.store
          (i32.wrap_i64 (i64.sub (local.get $at) (i64.const 4)))
          (i32.xor (i32.wrap_i64 (local.get $at)) (i32.const 0x66726565)))
        (if (i64.eq (local.get $at) (global.get $input))
          (then (global.set $input_size (i64.const 0)))))))

  (func $length (export "length") (export "length_unsafe") (param $at i64) (result i64)
    (if (call $used (local.get $at))
      (then (return (i64.load32_u (i32.wrap_i64 (i64.sub (local.get $at) (i64.const 8)))))))
    (i64.const 0))

  (func $memory_bytes (export "memory_bytes") (result i64)
    (i64.shl (i64.extend_i32_u (memory.size)) (i64.const 16)))

  ;; Bytes. Any address in use may be loaded and stored, of whichever block, freed
  ;; or not; others read as zero and take nothing. Blocks are padded to eight bytes,
  ;; so that the last word of each can be had in one piece.

  (func (export "load_u8") (param $at i64) (result i32)
    (if (i64.ge_u
          (i64.sub (local.get $at) (i64.const 16))
          (i64.sub (global.get $top) (i64.const 16)))
      (then (return (i32.const 0))))
    (i32.load8_u (i32.wrap_i64 (local.get $at))))

  (func (export "load_u64") (param $at i64) (result i64)
    (if (i64.ge_u
          (i64.sub (local.get $at) (i64.const 16))
          (i64.sub (global.get $top) (i64.const 23)))
      (then (return (i64.const 0))))
    (i64.load align=1 (i32.wrap_i64 (local.get $at))))

  (func (export "store_u8") (param $at i64) (param $value i32)
    (if (i64.lt_u
          (i64.sub (local.get $at) (i64.const 16))
          (i64.sub (global.get $top) (i64.const 16)))
      (then (i32.store8 (i32.wrap_i64 (local.get $at)) (local.get $value)))))

  (func (export "store_u64") (param $at i64) (param $value i64)
    (if (i64.lt_u
          (i64.sub (local.get $at) (i64.const 16))
          (i64.sub (global.get $top) (i64.const 23)))
      (then (i64.store align=1 (i32.wrap_i64 (local.get $at)) (local.get $value)))))

  ;; Input, output, error.

  ;; within reports whether a range lies in the memory in use.
  (func $within (param $at i64) (param $size i64) (result i32)
    (i32.and
      (i64.le_u (local.get $at) (global.get $top))
      (i64.le_u (local.get $size) (i64.sub (global.get $top) (local.get $at)))))

  (func (export "input_offset") (result i64) (global.get $input))
  (func (export "input_length") (result i64) (global.get $input_size))

  (func (export "input_set") (param $at i64) (param $size i64)
    (if (call $within (local.get $at) (local.get $size))
      (then
        (global.set $touched (i32.const 1))
        (global.set $input (local.get $at))
        (global.set $input_size (local.get $size)))))

  (func (export "input_load_u8") (param $i i64) (result i32)
    (if (i64.ge_u (local.get $i) (global.get $input_size))
      (then (return (i32.const 0))))
    (i32.load8_u (i32.wrap_i64 (i64.add (global.get $input) (local.get $i)))))

  (func (export "input_load_u64") (param $i i64) (result i64)
    (if (i64.gt_u (local.get $i) (global.get $input_size))
      (then (return (i64.const 0))))
    (if (i64.lt_u (i64.sub (global.get $input_size) (local.get $i)) (i64.const 8))
      (then (return (i64.const 0))))
    (i64.load align=1 (i32.wrap_i64 (i64.add (global.get $input) (local.get $i)))))

  (func (export "output_offset") (result i64) (global.get $output))
  (func (export "output_length") (result i64) (global.get $output_size))

  (func (export "output_set") (param $at i64) (param $size i64)
    (if (call $within (local.get $at) (local.get $size))
      (then
        (global.set $touched (i32.const 1))
        (global.set $output (local.get $at))
        (global.set $output_size (local.get $size)))))

  (func (export "error_get") (result i64) (global.get $error))

  ;; The length is taken now: PDKs free the message before they return.
  (func (export "error_set") (param $at i64)
    (global.set $touched (i32.const 1))
    (global.set $error (local.get $at))
    (global.set $error_size (call $length (local.get $at)))))
