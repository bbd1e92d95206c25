;; A plugin as a PDK would make it, down to its loops: what the benchmarks call.
(module
  (import "extism:host/env" "input_length" (func $input_length (result i64)))
  (import "extism:host/env" "input_load_u8" (func $input_load_u8 (param i64) (result i32)))
  (import "extism:host/env" "input_load_u64" (func $input_load_u64 (param i64) (result i64)))
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
  (import "extism:host/env" "store_u64" (func $store_u64 (param i64 i64)))
  (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
  (import "extism:host/env" "get_log_level" (func $get_log_level (result i32)))

  (func (export "empty"))

  (func (export "host") (result i32) (i32.mul (call $get_log_level) (i32.const 0)))

  (func (export "echo") (result i32)
    (local $n i64) (local $at i64) (local $i i64)
    (local.set $n (call $input_length))
    (local.set $at (call $alloc (local.get $n)))
    (block $words
      (loop $word
        (br_if $words (i64.gt_u (i64.add (local.get $i) (i64.const 8)) (local.get $n)))
        (call $store_u64
          (i64.add (local.get $at) (local.get $i))
          (call $input_load_u64 (local.get $i)))
        (local.set $i (i64.add (local.get $i) (i64.const 8)))
        (br $word)))
    (block $bytes
      (loop $byte
        (br_if $bytes (i64.ge_u (local.get $i) (local.get $n)))
        (call $store_u8
          (i64.add (local.get $at) (local.get $i))
          (call $input_load_u8 (local.get $i)))
        (local.set $i (i64.add (local.get $i) (i64.const 1)))
        (br $byte)))
    (call $output_set (local.get $at) (local.get $n))
    (i32.const 0)))
