;; An Extism plugin: the engine starts once, and each call runs a function of the program.

(import "extism:host/env" "input_length" (func $input_length (result i64))) ;; host(16)
(import "extism:host/env" "input_load_u8" (func $input_load_u8 (param i64) (result i32))) ;; host(17)
(import "extism:host/env" "length" (func $block_length (param i64) (result i64))) ;; host(18)
(import "extism:host/env" "load_u8" (func $load_u8 (param i64) (result i32))) ;; host(19)
(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64))) ;; host(20)
(import "extism:host/env" "free" (func $free_block (param i64))) ;; host(21)
(import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
(import "extism:host/env" "output_set" (func $output_set (param i64 i64))) ;; host(22)
(import "extism:host/env" "error_set" (func $error_set (param i64))) ;; host(23)
(import "extism:host/env" "config_get" (func $config_get (param i64) (result i64))) ;; host(24)
(import "extism:host/env" "var_get" (func $var_get (param i64) (result i64))) ;; host(25)
(import "extism:host/env" "var_set" (func $var_set (param i64 i64))) ;; host(26)
(import "extism:host/env" "log_info" (func $log_info (param i64))) ;; host(27)
(import "extism:host/env" "log_warn" (func $log_warn (param i64))) ;; host(28)
(import "extism:host/env" "log_error" (func $log_error (param i64))) ;; host(29)
(import "extism:host/env" "http_request" (func $http_request (param i64 i64) (result i64))) ;; host(30)
(import "extism:host/env" "http_status_code" (func $http_status_code (result i32))) ;; host(31)

(global $failed (mut i32) (i32.const 0))

(func (export "_initialize") (call $boot))

;; call runs a function of the program; build.mjs exports one of these for each tool.
(func $call (param $at i32) (param $length i32) (result i32)
  (global.set $failed (i32.const 1))
  (call $run (local.get $at) (local.get $length))
  (global.get $failed))

;; The operations of host() from 16 on are functions of Extism; build.mjs leaves out the
;; imports of those that the program does not use. A block is a piece of the memory of the
;; host, named by its address there.
(func $host (param $operation i32) (param $args i32) (result f64)
  (local $x i64) (local $y i64)
  (local.set $x (call $long (local.get $args) (i32.const 1)))
  (local.set $y (call $long (local.get $args) (i32.const 2)))
  (f64.convert_i64_u
    (block $done (result i64)
      (block $status (block $http (block $error (block $warn (block $info (block $varSet (block $varGet (block $config
        (block $fail (block $output (block $free (block $write (block $read (block $length (block $readInput (block $input
          (br_table $input $readInput $length $read $write $free $output $fail $config $varGet $varSet $info $warn $error $http $status
            (i32.sub (local.get $operation) (i32.const 16))))
          (br $done (call $input_length)))
          (br $done (call $copyInput (i32.wrap_i64 (local.get $x)) (call $input_length))))
          (br $done (call $block_length (local.get $x))))
          (br $done (call $copyBlock (local.get $x) (i32.wrap_i64 (local.get $y)) (call $block_length (local.get $x)))))
          (br $done (call $newBlock (i32.wrap_i64 (local.get $x)) (local.get $y))))
          (call $free_block (local.get $x)) (br $done (i64.const 0)))
          (global.set $failed (i32.const 0)) (call $output_set (local.get $x) (local.get $y)) (br $done (i64.const 0)))
          (call $error_set (local.get $x)) (br $done (i64.const 0)))
          (br $done (call $config_get (local.get $x))))
          (br $done (call $var_get (local.get $x))))
          (call $var_set (local.get $x) (local.get $y)) (br $done (i64.const 0)))
          (call $log_info (local.get $x)) (br $done (i64.const 0)))
          (call $log_warn (local.get $x)) (br $done (i64.const 0)))
          (call $log_error (local.get $x)) (br $done (i64.const 0)))
          (br $done (call $http_request (local.get $x) (local.get $y))))
          (i64.extend_i32_u (call $http_status_code)))))

(func $copyInput (param $to i32) (param $length i64) (result i64)
  (local $n i64)
  (block $done
    (loop $next
      (br_if $done (i64.eq (local.get $n) (local.get $length)))
      (i32.store8 (i32.add (local.get $to) (i32.wrap_i64 (local.get $n))) (call $input_load_u8 (local.get $n)))
      (local.set $n (i64.add (local.get $n) (i64.const 1)))
      (br $next)))
  (local.get $n))

(func $copyBlock (param $from i64) (param $to i32) (param $length i64) (result i64)
  (local $n i64)
  (block $done
    (loop $next
      (br_if $done (i64.eq (local.get $n) (local.get $length)))
      (i32.store8 (i32.add (local.get $to) (i32.wrap_i64 (local.get $n))) (call $load_u8 (i64.add (local.get $from) (local.get $n))))
      (local.set $n (i64.add (local.get $n) (i64.const 1)))
      (br $next)))
  (local.get $n))

(func $newBlock (param $from i32) (param $length i64) (result i64)
  (local $block i64) (local $n i64)
  (local.set $block (call $alloc (local.get $length)))
  (block $done
    (loop $next
      (br_if $done (i64.eq (local.get $n) (local.get $length)))
      (call $store_u8 (i64.add (local.get $block) (local.get $n)) (i32.load8_u (i32.add (local.get $from) (i32.wrap_i64 (local.get $n)))))
      (local.set $n (i64.add (local.get $n) (i64.const 1)))
      (br $next)))
  (local.get $block))
