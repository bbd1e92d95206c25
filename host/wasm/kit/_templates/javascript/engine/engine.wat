;; QuickJS in a plugin. The engine's module is @jitl/quickjs-wasmfile-release-sync, which
;; was built for a browser: this file offers what it imports, gives the program in it the
;; function host(), and starts it. build.mjs joins both modules. abi.wat has what differs
;; between ABIs: the host's functions and the exports.

(import "engine" "u" (func $constructors))
(import "engine" "malloc" (func $malloc (param i32) (result i32)))
(import "engine" "free" (func $free (param i32)))
(import "engine" "QTS_NewRuntime" (func $newRuntime (result i32)))
(import "engine" "QTS_RuntimeSetMaxStackSize" (func $setMaxStack (param i32 i32)))
(import "engine" "QTS_NewContext" (func $newContext (param i32 i32) (result i32)))
(import "engine" "QTS_GetGlobalObject" (func $globalObject (param i32) (result i32)))
(import "engine" "QTS_NewString" (func $newString (param i32 i32) (result i32)))
(import "engine" "QTS_GetString" (func $getString (param i32 i32) (result i32)))
(import "engine" "QTS_FreeCString" (func $freeString (param i32 i32)))
(import "engine" "QTS_NewArrayBuffer" (func $newBuffer (param i32 i32 i32) (result i32)))
(import "engine" "QTS_GetArrayBuffer" (func $getBuffer (param i32 i32) (result i32)))
(import "engine" "QTS_NewFloat64" (func $newNumber (param i32 f64) (result i32)))
(import "engine" "QTS_GetFloat64" (func $getNumber (param i32 i32) (result f64)))
(import "engine" "QTS_NewFunction" (func $newFunction (param i32 i32 i32 i32 i32) (result i32)))
(import "engine" "QTS_ArgvGetJSValueConstPointer" (func $argument (param i32 i32) (result i32)))
(import "engine" "QTS_SetProp" (func $setProperty (param i32 i32 i32 i32)))
(import "engine" "QTS_Eval" (func $eval (param i32 i32 i32 i32 i32 i32) (result i32)))
(import "engine" "QTS_ResolveException" (func $exception (param i32 i32) (result i32)))
(import "engine" "QTS_Dump" (func $dump (param i32 i32) (result i32)))
(import "engine" "QTS_IsJobPending" (func $hasJobs (param i32) (result i32)))
(import "engine" "QTS_ExecutePendingJob" (func $runJobs (param i32 i32 i32) (result i32)))
(import "engine" "QTS_FreeValuePointer" (func $freeValue (param i32 i32)))
(import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32))) ;; host(9)
(import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))

;; The engine's memory begins with 16 MiB: its data, a stack of 5 MiB, and its heap.
(memory (export "a") (export "memory") 256 32768)

(global $runtime (mut i32) (i32.const 0))
(global $context (mut i32) (i32.const 0))
(global $count (mut i32) (i32.const 0)) ;; of the arguments of host()
(global $texts (mut i32) (i32.const 0)) ;; where the texts that build.mjs adds are

;; What the engine imports. A browser has no files either, and nothing asks for a
;; terminal, another time zone or an end of the program.
(func (export "b") (param i32 i32 i32 i32) unreachable) ;; __assert_fail
(func (export "c") (param i32 i32 i32 i32) (result i32) ;; fd_write
  (call $fd_write (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
(func (export "d") (param i32) (result i32) (i32.const 8)) ;; fd_close: EBADF
(func (export "e") (param i32 i32) (result i32) (i32.const 0)) ;; environ_get
(func (export "f") (param i32 i32) (result i32) ;; environ_sizes_get: none
  (i32.store (local.get 0) (i32.const 0))
  (i32.store (local.get 1) (i32.const 0))
  (i32.const 0))
(func (export "g") (param i32 i32 i32 i32) (result i32) (i32.const 0)) ;; normalize a module's name
(func (export "h") (param i32 i32 i32) (result i32) (i32.const 0)) ;; load a module's source
(func (export "i") (param i32) (result i32) (i32.const 0)) ;; is it interrupted
(func (export "j") (param i32 f64) (result i32) (i32.const 0)) ;; setitimer
(func (export "k") (param $size i32) (result i32) ;; resize the heap
  (i32.ne
    (memory.grow (i32.shr_u (i32.add (i32.sub (local.get $size) (i32.shl (memory.size) (i32.const 16))) (i32.const 0xffff)) (i32.const 16)))
    (i32.const -1)))
(func (export "l")) ;; keep the runtime alive
(func (export "m") (param i64 i32) ;; localtime: UTC, of which only the offset is used
  (memory.fill (local.get 1) (i32.const 0) (i32.const 44)))
(func (export "n") (param i32 i32 i32 i32) ;; tzset
  (i32.store (local.get 0) (i32.const 0))
  (i32.store (local.get 1) (i32.const 0)))
(func (export "o") (param i32 i64 i32 i32) (result i32) (i32.const 70)) ;; fd_seek: ESPIPE
(func $now (export "p") (result f64) ;; the date in milliseconds
  (local $at i32) (local $time f64)
  (local.set $at (call $malloc (i32.const 8)))
  (drop (call $clock_time_get (i32.const 0) (i64.const 1) (local.get $at)))
  (local.set $time (f64.div (f64.convert_i64_u (i64.load (local.get $at))) (f64.const 1e6)))
  (call $free (local.get $at))
  (f64.floor (local.get $time)))
(func (export "q") unreachable) ;; abort
(func (export "r") (param i32) unreachable) ;; proc_exit
(func (export "t") (param i32 i32)) ;; an object that refers to the host is freed

;; host(operation, …): what the program calls. Numbers go in and come out; abi.wat has the
;; operations from 16 on.
(func (export "s") (param $context i32) (param $this i32) (param $count i32) (param $args i32) (param $id i32) (result i32)
  (local $operation i32)
  (global.set $count (local.get $count))
  (local.set $operation (i32.trunc_sat_f64_s (call $number (local.get $args) (i32.const 0))))
  (if (i32.eq (local.get $operation) (i32.const 5)) ;; string(at): the text at an address
    (then (return (call $newString (local.get $context) (call $int (local.get $args) (i32.const 1))))))
  (if (i32.eq (local.get $operation) (i32.const 6)) ;; buffer(at, length): an ArrayBuffer that owns the memory
    (then (return (call $newBuffer (local.get $context) (call $int (local.get $args) (i32.const 1)) (call $int (local.get $args) (i32.const 2))))))
  (call $newNumber (local.get $context) (call $operate (local.get $operation) (local.get $args))))

(func $operate (param $operation i32) (param $args i32) (result f64)
  (local $at i32)
  (if (i32.eq (local.get $operation) (i32.const 0)) ;; malloc(length)
    (then (return (f64.convert_i32_u (call $malloc (call $int (local.get $args) (i32.const 1)))))))
  (if (i32.eq (local.get $operation) (i32.const 1)) ;; free(at)
    (then (call $free (call $int (local.get $args) (i32.const 1))) (return (f64.const 0))))
  (if (i32.eq (local.get $operation) (i32.const 2)) ;; utf8(text): the address of its bytes and a zero
    (then (return (f64.convert_i32_u (call $getString (global.get $context) (call $argument (local.get $args) (i32.const 1)))))))
  (if (i32.eq (local.get $operation) (i32.const 3)) ;; free(at) of utf8
    (then (call $freeString (global.get $context) (call $int (local.get $args) (i32.const 1))) (return (f64.const 0))))
  (if (i32.eq (local.get $operation) (i32.const 4)) ;; length(at) of utf8
    (then (return (f64.convert_i32_u (call $length (call $int (local.get $args) (i32.const 1)))))))
  (if (i32.eq (local.get $operation) (i32.const 7)) ;; copy(buffer): the address of a copy of its bytes
    (then (return (f64.convert_i32_u (call $getBuffer (global.get $context) (call $argument (local.get $args) (i32.const 1)))))))
  (if (i32.eq (local.get $operation) (i32.const 8)) ;; copy(from, to, length)
    (then
      (memory.copy (call $int (local.get $args) (i32.const 2)) (call $int (local.get $args) (i32.const 1)) (call $int (local.get $args) (i32.const 3)))
      (return (f64.const 0))))
  (if (i32.eq (local.get $operation) (i32.const 9)) ;; fd_write(descriptor, pieces, count, written)
    (then (return (f64.convert_i32_u (call $fd_write (call $int (local.get $args) (i32.const 1)) (call $int (local.get $args) (i32.const 2))
      (call $int (local.get $args) (i32.const 3)) (call $int (local.get $args) (i32.const 4)))))))
  (call $host (local.get $operation) (local.get $args)))

(func $number (param $args i32) (param $index i32) (result f64) ;; 0 of a missing one
  (if (i32.ge_u (local.get $index) (global.get $count)) (then (return (f64.const 0))))
  (call $getNumber (global.get $context) (call $argument (local.get $args) (local.get $index))))
(func $int (param $args i32) (param $index i32) (result i32)
  (i32.wrap_i64 (i64.trunc_sat_f64_s (call $number (local.get $args) (local.get $index)))))
(func $long (param $args i32) (param $index i32) (result i64)
  (i64.trunc_sat_f64_u (call $number (local.get $args) (local.get $index))))

;; length of a text that ends with a zero
(func $length (param $at i32) (result i32)
  (local $end i32)
  (local.set $end (local.get $at))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (i32.load8_u (local.get $end))))
      (local.set $end (i32.add (local.get $end) (i32.const 1)))
      (br $next)))
  (i32.sub (local.get $end) (local.get $at)))

;; boot starts the engine and runs the program once, which defines its tools.
(func $boot
  (if (global.get $context) (then (return)))
  (call $constructors)
  (global.set $texts (call $malloc (global.get $textsLength)))
  (memory.init $texts (global.get $texts) (i32.const 0) (global.get $textsLength))
  (global.set $runtime (call $newRuntime))
  (call $setMaxStack (global.get $runtime) (i32.const 0x100000))
  (global.set $context (call $newContext (global.get $runtime) (i32.const 0)))
  (call $setProperty (global.get $context) (call $globalObject (global.get $context))
    (call $newString (global.get $context) (i32.add (global.get $texts) (global.get $hostAt)))
    (call $newFunction (global.get $context) (i32.add (global.get $texts) (global.get $hostAt)) (i32.const 1) (i32.const 0) (i32.const 1)))
  (call $evaluate (global.get $programAt) (global.get $programLength)))

;; run runs a tool, and lets the program look whether it has finished.
(func $run (param $at i32) (param $length i32)
  (call $boot)
  (call $evaluate (local.get $at) (local.get $length))
  (call $evaluate (global.get $endedAt) (global.get $endedLength)))

;; evaluate runs a text of the build, and everything that waits for a promise then.
(func $evaluate (param $at i32) (param $length i32)
  (call $check (call $eval (global.get $context) (i32.add (global.get $texts) (local.get $at)) (local.get $length)
    (i32.add (global.get $texts) (global.get $nameAt)) (i32.const 0) (i32.const 0)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (call $hasJobs (global.get $runtime))))
      (call $check (call $runJobs (global.get $runtime) (i32.const -1) (call $malloc (i32.const 4))))
      (br $next))))

;; check ends the plugin if a value is an exception, which then is in the log.
(func $check (param $value i32)
  (local $fault i32) (local $text i32) (local $iov i32)
  (if (i32.eqz (local.tee $fault (call $exception (global.get $context) (local.get $value))))
    (then (call $freeValue (global.get $context) (local.get $value)) (return)))
  (local.set $text (call $dump (global.get $context) (local.get $fault)))
  (local.set $iov (call $malloc (i32.const 12)))
  (i32.store (local.get $iov) (local.get $text))
  (i32.store offset=4 (local.get $iov) (call $length (local.get $text)))
  (drop (call $fd_write (i32.const 2) (local.get $iov) (i32.const 1) (i32.add (local.get $iov) (i32.const 8))))
  unreachable)
