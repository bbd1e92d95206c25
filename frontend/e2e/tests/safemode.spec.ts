import { sound } from '../sound.ts';
import { expect, serve, test } from '../window.ts';

const program = serve((home) => home.file('.config/errand/errand.toml', '[ui]\ntheme = "pink"\n\n[browser]\nbim = "x"\n'));

test('a configuration with faults is shown, each with its line, and nothing runs', async ({ page }) => {
  await page.goto(program.url);
  await expect(page.getByRole('heading', { name: 'Safe mode' })).toBeVisible();
  await expect(page.getByText('line 2')).toBeVisible();
  await expect(page.getByText('line 5')).toBeVisible();
  await expect(page.locator('#goal')).toHaveCount(0);
  await sound(page, 'safe mode');
});

test.describe('on a system that speaks Russian', () => {
  test.use({ locale: 'ru-RU' });

  test('what is wrong with it is told in Russian', async ({ page }) => {
    await page.goto(program.url);
    await expect(page.getByRole('heading', { name: 'Безопасный режим' })).toBeVisible();
    await expect(page.getByText('«pink» — не из числа «system», «light», «dark», «contrast»')).toBeVisible();
    await expect(page.getByText('неизвестный ключ; может быть, «bin»?')).toBeVisible();
  });
});
