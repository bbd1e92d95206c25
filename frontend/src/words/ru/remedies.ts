import type { remedies as english } from '../en/remedies';

const again = 'Попросите ещё раз: наберите цель или нажмите «Ещё раз» под её выполнением.';
const draft = 'Посмотрите в «Ждут вас».';
const runs = 'Поищите в журнале.';
const plugin = 'В плагинах: установите его снова оттуда же или удалите.';
const visible = 'Включите в настройках «Показывать браузер» и попробуйте ещё раз: страница подождёт вас в окне браузера. В обход Errand не идёт.';

export const remedies: typeof english = {
  'allowlist.unlisted': 'Разрешите узел прямо в плане или добавьте его в правилах.',
  approval_drift: draft,
  another_plugin: 'Установите его как отдельный плагин, а этот удалите, если он больше не нужен.',
  bad_manifest: 'В плагинах: поищите обновление или удалите его.',
  browser_died: 'Чего не хватает браузеру, скажет проверка; в настройках можно назвать другой браузер или не показывать его.',
  browser_unavailable: 'Чего не хватает браузеру, скажет проверка.',
  challenge_page: visible,
  confirm_count: 'Наберите число рядом с кнопкой.',
  consent_wall: visible,
  draft_applied: runs,
  draft_applying: 'Подождите, пока выполнение закончится.',
  draft_cancelled: again,
  draft_expired: again,
  draft_not_found: 'Всё, что ждёт, — в «Ждут вас».',
  effect_settled: runs,
  grant_not_found: 'Что сейчас открыто, видно в правилах.',
  grant_opens_nothing: 'Попробуйте адрес в правилах: там сказано, какая строка настроек это изменит.',
  name_not_resolved: 'Проверьте, есть ли сеть и верно ли написано имя.',
  no_module: 'Установите его снова оттуда же.',
  not_installed: 'Что установлено, видно в плагинах.',
  nothing_left: 'Откажите черновику целиком.',
  open_questions: 'Сначала ответьте на вопрос.',
  partial: draft,
  plugin_pinned: 'Установите новую версию по её адресу и с её дайджестом.',
  plugin_tampered: plugin,
  recipe_not_found: 'Все рецепты — в комнате рецептов.',
  run_done: runs,
  run_not_found: runs,
  'doctor.network': 'Подключите машину к сети.',
  unknown_tool: 'В плагинах: возможно, он выключен или не установлен.',
};
