import { ask, expect, go, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => home.file('.config/errand/errand.toml', '[ui]\nlanguage = "ru"\n'));

test.beforeEach(async ({ page }) => open(page, program.url));

test('a Russian goal is read, carried out and told in Russian', async ({ page }) => {
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await ask(page, 'открой ютуб и найди котиков');
  await expect(status(page)).toContainText('Готово');
  await expect(page.getByText('котиков - YouTube (demo)').first()).toBeVisible();
});

// Words of the other language are a hole in the catalogue. What a plugin says of
// itself is its author's own.
test('no room has a heading, a button or a label in English', async ({ page }) => {
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru'); // the program has said so by then
  for (const room of ['goal', 'drafts', 'runs', 'recipes', 'plugins', 'policy', 'settings', 'doctor']) {
    await go(page, `/${room}`);
    if (room === 'goal') await expect(goal(page)).toBeVisible();
    else await expect(page.getByRole('heading', { level: 1 })).toContainText(/[а-яё]/i);
    const words = await page.locator('main :is(h1, h2, h3, label, legend), nav .name').allInnerTexts();
    for (const said of words.filter((w) => w.trim() !== '')) expect.soft(said, room).toMatch(/[а-яё]/i);
  }
});

test('the language is changed in the palette, and is another one at once', async ({ page }) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('English');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { name: 'What should I do?' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
