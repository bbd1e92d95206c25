const forms = new Intl.PluralRules('ru');
const figures = new Intl.NumberFormat('ru');

/** Formats a number: 10 000. */
export const number = (n: number): string => figures.format(n);

/** A number with the matching form of its noun: 1 шаг, 2 шага, 5 шагов. */
export function count(n: number, one: string, few: string, many: string): string {
  return `${number(n)} ${form(n, one, few, many)}`;
}

/** The form of a noun alone. */
export function form(n: number, one: string, few: string, many: string): string {
  const rule = forms.select(n);
  return rule === 'one' ? one : rule === 'few' ? few : many;
}
