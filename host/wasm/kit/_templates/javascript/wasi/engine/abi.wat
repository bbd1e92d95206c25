;; A WASI command: each call starts the engine anew.

(import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32))) ;; host(16)
(import "wasi_snapshot_preview1" "fd_readdir" (func $fd_readdir (param i32 i32 i32 i64 i32) (result i32))) ;; host(17)
(import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32))) ;; host(18)
(import "wasi_snapshot_preview1" "fd_prestat_get" (func $fd_prestat_get (param i32 i32) (result i32))) ;; host(19)
(import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func $fd_prestat_dir_name (param i32 i32 i32) (result i32))) ;; host(20)
(import "wasi_snapshot_preview1" "path_open" (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32))) ;; host(21)
(import "wasi_snapshot_preview1" "path_filestat_get" (func $path_filestat_get (param i32 i32 i32 i32 i32) (result i32))) ;; host(22)
(import "wasi_snapshot_preview1" "path_create_directory" (func $path_create_directory (param i32 i32 i32) (result i32))) ;; host(23)
(import "wasi_snapshot_preview1" "path_remove_directory" (func $path_remove_directory (param i32 i32 i32) (result i32))) ;; host(24)
(import "wasi_snapshot_preview1" "path_unlink_file" (func $path_unlink_file (param i32 i32 i32) (result i32))) ;; host(25)
(import "wasi_snapshot_preview1" "path_rename" (func $path_rename (param i32 i32 i32 i32 i32 i32) (result i32))) ;; host(26)
(import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32))) ;; host(27)

(func (export "_start")
  (call $run (global.get $runAt) (global.get $runLength)))

;; The operations of host() from 16 on are functions of WASI; the result is an errno.
;; build.mjs leaves out the imports of those that the program does not use.
(func $host (param $operation i32) (param $args i32) (result f64)
  (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $e i32)
  (local.set $a (call $int (local.get $args) (i32.const 1)))
  (local.set $b (call $int (local.get $args) (i32.const 2)))
  (local.set $c (call $int (local.get $args) (i32.const 3)))
  (local.set $d (call $int (local.get $args) (i32.const 4)))
  (local.set $e (call $int (local.get $args) (i32.const 5)))
  (f64.convert_i32_u
    (block $done (result i32)
      (block $random (block $rename (block $unlink (block $rmdir (block $mkdir (block $stat (block $open
        (block $name (block $prestat (block $close (block $readdir (block $read
          (br_table $read $readdir $close $prestat $name $open $stat $mkdir $rmdir $unlink $rename $random
            (i32.sub (local.get $operation) (i32.const 16))))
          (br $done (call $fd_read (local.get $a) (local.get $b) (local.get $c) (local.get $d))))
          (br $done (call $fd_readdir (local.get $a) (local.get $b) (local.get $c) (call $long (local.get $args) (i32.const 4)) (local.get $e))))
          (br $done (call $fd_close (local.get $a))))
          (br $done (call $fd_prestat_get (local.get $a) (local.get $b))))
          (br $done (call $fd_prestat_dir_name (local.get $a) (local.get $b) (local.get $c))))
          (br $done (call $path_open (local.get $a) (i32.const 1) (local.get $b) (local.get $c) (local.get $d)
            (call $long (local.get $args) (i32.const 5)) (i64.const 0) (i32.const 0) (call $int (local.get $args) (i32.const 6)))))
          (br $done (call $path_filestat_get (local.get $a) (local.get $b) (local.get $c) (local.get $d) (local.get $e))))
          (br $done (call $path_create_directory (local.get $a) (local.get $b) (local.get $c))))
          (br $done (call $path_remove_directory (local.get $a) (local.get $b) (local.get $c))))
          (br $done (call $path_unlink_file (local.get $a) (local.get $b) (local.get $c))))
          (br $done (call $path_rename (local.get $a) (local.get $b) (local.get $c) (local.get $d) (local.get $e) (call $int (local.get $args) (i32.const 6)))))
          (call $random_get (local.get $a) (local.get $b)))))
