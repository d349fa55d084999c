import { folder, lookAt, resize, widths } from './look.ts'
import { browserOf } from './people.ts'
import { test } from './screen-people.ts'
import { screens, signedOut } from './screens.ts'
import { wordsOf } from './words.ts'

// Checks every screen in both themes and three widths: no axe violation, no horizontal overflow, no console error.
// SCREENS=FOLDER saves a small picture of each, and of the wide window too. Each page is loaded once and then resized;
// `survey.spec.ts` loads every screen at other sizes.

/** The wide window is only for the pictures; `survey.spec.ts` checks wide windows. */
const pictured = folder ? [...widths, 1920] : widths

test.describe('every screen', { tag: '@long' }, () => {
  test.describe.configure({ mode: 'parallel' })
  for (const [name, visit] of Object.entries(screens)) {
    test(`${name} fits and is accessible in both themes and three widths`, async ({ browser, duet, people }) => {
      const page = await browserOf(browser, duet, signedOut.has(name) ? undefined : people.ana)
      const { look } = lookAt(page)
      await resize(page, pictured[0])
      await visit({ page, say: wordsOf('en'), ...people })
      for (const width of pictured) {
        await resize(page, width)
        await page.waitForLoadState('networkidle')
        await look(name)
      }
      await page.context().close()
    })
  }
})
