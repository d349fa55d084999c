import { test } from './fixtures.ts'
import { folder, lookAt, resize, widths } from './look.ts'
import { browserOf } from './people.ts'
import { type Cast, gather } from './screen-people.ts'
import { screens, signedOut } from './screens.ts'
import { wordsOf } from './words.ts'

// Every screen, in both themes and three widths: nothing axe complains of, nothing wider than the window, no complaint
// in the console. With SCREENS=FOLDER each is kept as a small picture, in a wide window too. Its name puts the longest file
// first, so that the workers end together.

/** The survey looks at wide windows; here they are for the pictures. */
const pictured = folder ? [...widths, 1920] : widths

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: 'on' } })

test.describe('every screen', { tag: '@long' }, () => {
  let people: Cast
  test.beforeAll(async ({ duet }) => {
    people = await gather(duet, { demo: true })
  })

  for (const [name, visit] of Object.entries(screens)) {
    test(`${name} fits and is accessible in both themes and three widths`, async ({ browser, duet }) => {
      const page = await browserOf(browser, duet, signedOut.has(name) ? undefined : people.ana)
      const { look } = lookAt(page)
      for (const width of pictured) {
        await resize(page, width)
        await visit({ page, say: wordsOf('en'), ...people })
        await page.waitForLoadState('networkidle')
        await look(name)
      }
      await page.context().close()
    })
  }
})
