import { folder, lookAt, resize, widths } from './look.ts'
import { browserOf } from './people.ts'
import { test } from './screen-people.ts'
import { screens, signedOut } from './screens.ts'
import { wordsOf } from './words.ts'

// Every screen, in both themes and three widths: nothing axe complains of, nothing wider than the window, no complaint
// in the console. With SCREENS=FOLDER each is kept as a small picture, in a wide window too. The page is loaded once and
// then resized: `survey.spec.ts` loads every screen in windows of other sizes.

/** The survey looks at wide windows; here they are for the pictures. */
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
