;; The inner loops of the exact scan. JavaScript has no vector instructions; four multiplications at a time over 32-bit
;; floats scan several times faster. `npm run kernels` assembles this file into kernels-binary.ts.
;;
;;   dots(query, rows, count, bytes, out)        out[i] = the dot product of the query and row i
;;   squares(query, rows, count, bytes, out)     out[i] = minus their squared distance
;;   coarseDots(query, rows, count, bytes, out)  like dots, for a query of 16-bit and rows of 8-bit integers
;;
;; Addresses are bytes in the imported memory. `bytes` is the length of a row: a multiple of 64, of 32 for coarseDots.
;; Each round adds to four sums, so that an addition need not wait for the one before it.
(module
  (import "host" "memory" (memory 1 65536 shared))

  (func (export "dots")
    (param $query i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $query) (local.get $bytes)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $round
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $rows)))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $rows)))))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $rows)))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $rows)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (br_if $round (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add (f32.add (f32.add
            (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32x4.extract_lane 2 (local.get $a))) (f32x4.extract_lane 3 (local.get $a))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row))))

  (func (export "squares")
    (param $query i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $query) (local.get $bytes)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $round
          (local.set $x (f32x4.sub (v128.load (local.get $at)) (v128.load (local.get $rows))))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $x) (local.get $x))))
          (local.set $x (f32x4.sub (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $rows))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $x) (local.get $x))))
          (local.set $x (f32x4.sub (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $rows))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $x) (local.get $x))))
          (local.set $x (f32x4.sub (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $rows))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $x) (local.get $x))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (br_if $round (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.neg (f32.add (f32.add (f32.add
            (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32x4.extract_lane 2 (local.get $a))) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row))))

  (func (export "coarseDots")
    (param $query i32) (param $rows i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $query) (i32.shl (local.get $bytes) (i32.const 1))))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $round
          (local.set $x (v128.load (local.get $rows)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 (local.get $at)))))
          (local.set $x (v128.load offset=16 (local.get $rows)))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load offset=32 (local.get $at)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=48 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
          (br_if $round (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b)) (i32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.convert_i32_s (i32.add (i32.add (i32.add
            (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32x4.extract_lane 2 (local.get $a))) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row)))))
