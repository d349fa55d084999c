import { test } from './fixtures.ts'
import { lookAt } from './look.ts'
import { browserOf } from './people.ts'
import { type Cast, gather } from './screen-people.ts'
import { walks } from './screen-states.ts'

// Runs the checks of all-screens.spec.ts on states that are brief or only appear when data is missing.

test.use({ serverEnvironment: { SUPER_ADMIN_EMAIL: 'boss@example.com', DEMO: 'off' } })

test.describe('all states', { tag: '@long' }, () => {
  let people: Cast
  test.beforeAll(async ({ duet }) => {
    people = await gather(duet, { demo: false })
  })

  for (const [name, walk] of Object.entries(walks)) {
    test(`all states of ${name} fit and are accessible in both themes and three widths`, async ({ browser, duet }) => {
      const page = await browserOf(browser, duet, people.ana)
      await walk({ page, browser, duet, ...people, ...lookAt(page, { thrifty: true }) })
      await page.context().close()
    })
  }
})
