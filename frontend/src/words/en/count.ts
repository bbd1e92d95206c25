const figures = new Intl.NumberFormat('en');

/** Formats a number: 10,000. */
export const number = (n: number): string => figures.format(n);

/** A number with its noun: 1 step, 2 steps. */
export const count = (n: number, one: string, many: string): string => `${number(n)} ${n === 1 ? one : many}`;
