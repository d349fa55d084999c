import { expect, test } from './fixtures.ts'

test('the browser draws text', async ({ page }) => {
  await page.goto('data:text/html,<p style="font: 60px sans-serif"></p>')
  const blank = await page.screenshot()
  await page.locator('p').evaluate((paragraph) => {
    paragraph.textContent = 'Duet'
  })
  expect((await page.screenshot()).equals(blank)).toBe(false)
})
