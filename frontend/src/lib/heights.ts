/**
 * The heights of a long list's rows, most of them estimated. It finds the visible rows and the
 * position of a row. A Fenwick tree of the differences from the estimate makes measuring and
 * finding a row O(log n).
 */
export class Heights {
  readonly count: number;
  readonly estimate: number;
  #measured: (number | undefined)[];
  #tree: Float64Array;

  constructor(count: number, estimate: number) {
    this.count = count;
    this.estimate = estimate;
    this.#measured = new Array<number | undefined>(count);
    this.#tree = new Float64Array(count + 1);
  }

  /** Sets the height of a row in pixels. Returns the difference. */
  measure(row: number, height: number): number {
    const change = height - (this.#measured[row] ?? this.estimate);
    if (row < 0 || row >= this.count || change === 0) return 0;
    this.#measured[row] = height;
    for (let i = row + 1; i <= this.count; i += i & -i) this.#tree[i]! += change;
    return change;
  }

  /** The position of a row in pixels from the top of the list; for `count`, the end of the list. */
  top(row: number): number {
    const to = Math.min(Math.max(row, 0), this.count);
    let differences = 0;
    for (let i = to; i > 0; i -= i & -i) differences += this.#tree[i]!;
    return to * this.estimate + differences;
  }

  get total(): number {
    return this.top(this.count);
  }

  /** The row at a distance from the top, limited to the first and the last row. */
  at(y: number): number {
    let low = 0;
    let high = Math.max(this.count - 1, 0);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The rows [from, to) in a view of `height` at `y`, and `margin` rows around them. */
  window(y: number, height: number, margin: number): [from: number, to: number] {
    if (this.count === 0) return [0, 0];
    return [Math.max(this.at(y) - margin, 0), Math.min(this.at(y + height) + 1 + margin, this.count)];
  }

  /** Returns the same rows with another count. Measured heights are kept. */
  resized(count: number): Heights {
    const next = new Heights(count, this.estimate);
    this.#measured.slice(0, count).forEach((h, row) => h !== undefined && next.measure(row, h));
    return next;
  }
}
