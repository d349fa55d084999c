import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unsubscribeUrls } from '../server/src/features/mails/unsubscribing.ts'
import { createSecrets } from '../server/src/platform/security/secrets.ts'
import { expect, test } from './fixtures.ts'
import { lookAt, resize, widths } from './look.ts'
import { browserOf, someone } from './people.ts'

test('someone unsubscribes from news by email without signing in, and turns it on again in Settings', {
  tag: '@long',
}, async ({ browser, duet, page }) => {
  const ana = await someone(duet, 'Ana')
  const secrets = createSecrets(readFileSync(join(duet.dataDir, 'secret-key'), 'utf8'))
  const config = { publicUrl: duet.baseURL, port: 0 }
  const { oneClick, page: address } = unsubscribeUrls({ secrets, config } as never, ana.id, 'matches')

  // Link scanners, and email programs without one-click unsubscribe, only open the link.
  await page.goto(oneClick)
  expect(page.url()).toBe(address)
  const settings = await browserOf(browser, duet, ana)
  await settings.goto('/settings/notifications')
  const notice = settings.getByText('You stopped emails about: matches.')
  await expect(settings.getByRole('heading', { level: 2, name: 'Email', exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)

  await page.getByRole('button', { name: 'Stop these emails' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible()
  await lookAt(page).look('unsubscribed')
  await settings.reload()
  await expect(notice).toBeVisible()
  await settings.getByRole('button', { name: 'Turn on again' }).click()
  await expect(notice).toHaveCount(0)
  await settings.context().close()
})

test('the email problems in Settings fit and are accessible, also from right to left', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const mina = await someone(duet, 'Mina')
  for (const locale of ['en', 'ar']) {
    const page = await browserOf(browser, duet, mina, { locale })
    await page.route('**/api/mail', (route) =>
      route.fulfill({ json: { unreachableSince: '2026-11-20T10:00:00Z', stopped: ['digest', 'messages'] } }),
    )
    const { look } = lookAt(page)
    for (const width of widths) {
      await resize(page, width)
      await page.goto('/settings/notifications')
      await expect(page.locator('#by-email')).toBeVisible()
      await expect(page.getByRole('main').getByRole('status').getByRole('button')).toHaveCount(2)
      await look(`mail-notices-${locale}`)
    }
    await page.context().close()
  }
})
