import type { Words } from './words.svelte';

const forms = new Intl.PluralRules('ru');

function count(n: number, one: string, few: string, many: string): string {
  const form = forms.select(n);
  return `${n} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

export const ru: Words = {
  tag: 'ru',

  goal: {
    ask: 'Что сделать?',
    field: 'Цель своими словами',
    try: 'Например',
    lately: 'Недавно',
    tooLong: 'Для одной цели это слишком длинно.',
  },

  reading: {
    steps: (n) => count(n, 'шаг', 'шага', 'шагов'),
    opens: (hosts) => `откроет ${hosts.join(', ')}`,
    unsupported: 'Этого я пока не умею.',
    ambiguous: 'Сначала нужен один ответ.',
  },

  plan: {
    planning: 'Составляю план…',
    minimal: 'Меньше нельзя.',
    partial: 'Сделать можно только часть.',
    run: 'Выполнить',
    cancel: 'Отмена',
    change: 'Изменить…',
    after: (ids) => `после ${ids.join(', ')}`,
  },

  gate: {
    runs: 'Разрешено',
    asks: 'Нужно ваше согласие',
    refused: 'Запрещено',
    question: 'Сначала один вопрос',
    done: 'Делать нечего',
    none: 'Плана нет',
  },

  verdict: { allow: 'разрешено', ask: 'спросит вас', deny: 'запрещено', '': 'не проверено' },

  status: {
    running: 'Выполняется',
    done: 'Готово',
    failed: 'Не получилось',
    denied: 'Запрещено',
    needs_approval: 'Нужно согласие',
    interrupted: 'Остановлено',
    skipped: 'пропущено',
  },

  run: {
    stop: 'Остановить',
    stopping: 'Останавливаю…',
    again: 'Ещё раз',
    another: 'Новая цель',
    retry: 'Повторить',
    steps: 'Что сделано',
    doing: 'Что делается',
    shot: (title) => `Снимок страницы ${title}`,
    connections: 'Соединения',
    allowed: (n) => `${n} разрешено`,
    stopped: (n) => `${n} остановлено`,
    notListed: 'остановлено',
    more: (n) => `и ещё ${n}`,
  },

  failure: {
    validation_error: 'Так сделать нельзя',
    policy_denied: 'Запрещено',
    tool_timeout: 'Слишком долго',
    tool_unavailable: 'Чего-то не хватает',
    execution_error: 'Не получилось',
    unknown: 'Не получилось',
  },

  safe: {
    title: 'Безопасный режим',
    why: 'В настройках есть ошибки, поэтому ничего не выполняется. Исправьте их и запустите Errand снова.',
    line: (n) => `строка ${n}`,
  },

  demo: 'Демонстрация: вместо сети — встроенный сайт.',

  closing: {
    title: 'Цель ещё выполняется',
    body: 'Если закрыть окно, она остановится.',
    stop: 'Остановить и закрыть',
    keep: 'Не закрывать',
  },

  ago: {
    now: 'только что',
    minutes: (n) => `${n} мин назад`,
    today: (time) => `сегодня ${time}`,
    yesterday: (time) => `вчера ${time}`,
  },
};
