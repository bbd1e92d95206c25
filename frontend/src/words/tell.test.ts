import { describe, expect, it } from 'vitest';

import { sayings, teller } from './ru/told';

const tell = (text: string) => teller.tell(text);

/** A template as the program fills it in, and what its words come to then. */
function filled(template: string): [said: string, values: string[]] {
  const values: string[] = [];
  const said = template.replace(/%(?: x|#?(?:\.\d+)?([a-z%]))/g, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = verb === 'd' ? String(3 + values.length) : `/o${values.length}/x.org`;
    values.push(value);
    return verb === 'q' ? JSON.stringify(value) : value;
  });
  return [said, values];
}

describe('what the program says, in Russian', () => {
  // Also that no other template takes a sentence away from its own.
  it.each(Object.entries(sayings))('%s', (template, words) => {
    const [said, values] = filled(template);
    const told = tell(said);
    const bare = words.replace(/\{\d+(\|[^}]*)?\}/g, '\u0000').split('\u0000').map((part) => part.trim());
    for (const part of bare) expect(told).toContain(part);
    for (const value of values) expect(told).toContain(value);
  });

  it.each([
    ['https://x.org is not among the allowed domains', 'https://x.org нет в вашем списке'],
    ['127.0.0.1 is not a public address: this machine (RFC 1122)', '127.0.0.1 — не открытый адрес: этот компьютер (RFC 1122)'],
    ['the goal is 5000 bytes long; the limit is 4096', 'в цели 5000 байтов, а можно не больше 4096'],
    ['goes to the trash /home/ann/.local/share/Trash; more than 50 things', 'уйдёт в корзину /home/ann/.local/share/Trash; объектов больше 50'],
    ['it changes something, so it waits for your approval; and this run has read what others wrote: a1 (browser.open, x.org); no order was seen in it, but the words are not yours',
      'это что-то меняет и ждёт вашего согласия; и в этом выполнении прочитано написанное другими: a1 (browser.open, x.org); приказов там не видно, но слова не ваши'],
    ['open https://x.org/a: the page was not there within 30s', 'открыть https://x.org/a: за 30 с страница не пришла'],
    ['"pink" is not one of ["system" "light"]', '«pink» — не из числа «system», «light»'],
    ['tool notes.find: changes files (before: only looks)', 'инструмент notes.find: меняет файлы (раньше: только смотрит)'],
    ['new tool notes.save (sends or sets something)', 'новый инструмент notes.save (отправляет или назначает что-то)'],
    ['tools that handle credentials or permissions, and change files: a.x, b.y', 'инструменты, которые имеют дело с паролями и правами и меняют файлы: a.x, b.y'],
    ['a: b', 'a: b'],
    ['The weather is fine', 'The weather is fine'],
    ['', ''],
  ])('%s', (said, want) => {
    expect(tell(said)).toBe(want);
  });

  it('leaves alone what a person or a stranger wrote within it', () => {
    expect(tell('Did you say “the goal is empty”?')).toBe('Вы сказали «the goal is empty»?');
    expect(tell('the draft has no action "it only reads"')).toBe('действия «it only reads» в черновике нет');
  });
});
