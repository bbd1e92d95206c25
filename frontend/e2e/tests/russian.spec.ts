import type { Page } from '@playwright/test';

import { keepRecipes } from '../recipes.ts';
import { manifest, module } from '../weather.ts';
import { ask, expect, go, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => {
  home.file('.config/errand/errand.toml', '[ui]\nlanguage = "ru"\n');
  for (const name of ['Old', 'Old/letters', 'Notes', 'Invoices']) home.folder('Documents', name);
  keepRecipes(home);
  home.file('weather/weather.wasm', module);
  home.file('weather/plugin.toml', manifest('1.0.0', 'hosts = ["api.weather.example"]\n[[paths]]\nroot = "letters"\nmode = "rw"'));
});

test.beforeEach(async ({ page }) => open(page, program.url));

/** What strangers and people wrote, commands and names: the same in each language. */
const others = ['A folder for reports', 'Make a folder for a trip, with a list in it', 'where it goes', 'The weather', 'delete folder Invoices in documents', /`?errand [a-z]+.*/, 'zip, tar', 'https, ws', 'URL https'];

/** Holds all that is said on the screen, aloud too, against words of English: two beside each other. */
async function isRussian(page: Page, where: string): Promise<void> {
  for (const details of await page.locator('main details').all()) await details.evaluate((d: HTMLDetailsElement) => (d.open = true));
  const said = [
    ...(await page.locator('body').innerText()).split('\n'),
    ...(await page.locator('[aria-label], [title], [placeholder]').evaluateAll((all) => all.flatMap((e) => ['aria-label', 'title', 'placeholder'].map((name) => e.getAttribute(name) ?? '')))),
  ];
  for (const line of said) {
    const own = others.reduce((text: string, other) => text.replace(other, ''), line.replace(/\S*[/._@]\S*/g, '·'));
    expect.soft(own, where).not.toMatch(/[A-Za-z]{2,}[,;:]? [a-z]{2,}/);
  }
}

test('a Russian goal is read, carried out and told in Russian', async ({ page }) => {
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await ask(page, 'открой ютуб и найди котиков');
  await expect(status(page)).toContainText('Готово');
  await expect(page.getByText('котиков - YouTube (demo)').first()).toBeVisible();
  await isRussian(page, 'run');
});

for (const [goalText, gate, words] of [
  ['удали папку Old в документах', 'Нужно одобрение', 'уходит в корзину'],
  ['delete folder Invoices in documents', 'Нужно одобрение', 'Удалит или перезапишет'],
  ['удали Plans в документах', 'Сначала один вопрос', 'это файл или папка'],
  ['открой example.org', 'Запрещено', 'нет среди разрешённых узлов'],
  ['открой http://127.0.0.1:9999/', 'Запрещено', 'этот компьютер (RFC 1122)'],
  ['открой http://localhost:9999/', 'Запрещено', 'относится к локальной сети'],
  ['удали файл /etc/passwd', 'Запрещено', 'вне папок, доступных'],
] as const) {
  test(`the plan of “${goalText}” is told in Russian, and why`, async ({ page }) => {
    await ask(page, goalText);
    await expect(page.locator('main')).toContainText(gate);
    await expect(page.locator('main')).toContainText(words);
    await isRussian(page, goalText);
  });
}

test('a draft of another program is told in Russian', async ({ page }) => {
  program.home.errand('demo', 'delete folder Invoices in documents');
  await go(page, '/drafts');
  await page.getByRole('button', { name: /Invoices/ }).click();
  await expect(page.getByRole('button', { name: /^Удалить папку .*Invoices/ })).toBeEnabled();
  await expect(page.locator('main')).toContainText('уходит в корзину');
  await isRussian(page, 'draft');
});

test('every room is Russian, with all that is in it', async ({ page }) => {
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru'); // the program has said so by then
  for (const room of ['goal', 'drafts', 'runs', 'recipes', 'plugins', 'policy', 'settings', 'doctor']) {
    await go(page, `/${room}`);
    if (room === 'goal') await expect(goal(page)).toBeVisible();
    else await expect(page.getByRole('heading', { level: 1 })).toContainText(/[а-яё]/i);
    if (room === 'doctor') await expect(page.locator('main li').first()).toBeVisible();
    if (room === 'plugins') for (const one of await page.locator('article button.name').all()) await one.click();
    await isRussian(page, room);
    const words = await page.locator('main :is(h1, label, legend), nav .name').allInnerTexts();
    for (const said of words.filter((w) => w.trim() !== '')) expect.soft(said, room).toMatch(/[а-яё]/i);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await isRussian(page, 'palette');
  await page.keyboard.press('Escape');
});

test('a plugin’s rights are told in Russian before it is installed', async ({ page }) => {
  await go(page, '/plugins');
  await page.getByRole('button', { name: 'Установить…' }).click();
  const source = page.getByRole('textbox', { name: 'Файл, папка' });
  await source.fill(`${program.home.path}/nowhere`);
  await page.getByRole('button', { name: 'Прочитать' }).click();
  await expect(page.locator('main')).toContainText('nowhere');
  await isRussian(page, 'no plugin');
  await source.fill(`${program.home.path}/weather`);
  await page.getByRole('button', { name: 'Прочитать' }).click();
  const proposal = page.getByRole('region', { name: 'Установить weather 1.0.0?' });
  await expect(proposal).toContainText('читает и меняет letters: папки не разрешены');
  await isRussian(page, 'proposal');
});

test('what a newer plugin may do more is told in Russian', async ({ page }) => {
  program.home.file('grows/weather.wasm', module);
  program.home.file('grows/plugin.toml', manifest('1.0.0', '').replaceAll('weather.now', 'grows.now').replace('id = "weather"', 'id = "grows"'));
  program.home.errand('plugin', 'install', `${program.home.path}/grows`, '--yes');
  program.home.file('grows/plugin.toml', manifest('1.1.0', '').replaceAll('weather.now', 'grows.now').replace('id = "weather"', 'id = "grows"').replace('"read"\neffect = "read"', '"write"\neffect = "commit"'));
  await go(page, '/plugins/grows');
  await page.getByRole('button', { name: 'Проверить обновление' }).click();
  await expect(page.locator('main')).toContainText('инструмент grows.now: отправляет или меняет что-то (раньше: только читает)');
  await isRussian(page, 'update');
  await page.getByRole('button', { name: 'Отмена' }).click();
});

test('what policy says of an address is Russian, stage by stage', async ({ page }) => {
  await go(page, '/policy');
  const address = page.getByRole('textbox', { name: 'Адрес', exact: true });
  for (const [url, words] of [
    ['https://youtube.com/', 'в allowed_domains есть «youtube.com»'],
    ['https://example.org/', 'нет среди разрешённых узлов'],
    ['http://169.254.169.254/', 'не публичный адрес'],
    ['http://metadata.google.internal/', 'локальной сети'],
    ['ftp://example.org/', 'разрешены только http'],
    ['https://ann:secret@example.org/', 'имени пользователя и пароля'],
    ['https://youtube.com:22/', 'порт 22 не предназначен для веба'],
  ] as const) {
    await address.fill(url);
    await address.press('Enter');
    await expect(page.locator('main')).toContainText(words);
    await isRussian(page, url);
  }
});

test('the language is changed in the palette, and is another one at once, in a plan too', async ({ page }) => {
  await ask(page, 'delete folder Invoices in documents');
  await expect(page.locator('main')).toContainText('уходит в корзину');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('English');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('main')).toContainText('Needs approval');
  await expect(page.getByRole('heading', { name: /^Delete the folder .*Invoices/ })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
