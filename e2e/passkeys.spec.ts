import type { CDPSession, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { inDatabase } from './in-database.ts'
import { browserOf, type Someone, someone } from './people.ts'

// Uses Chromium's virtual authenticator, which stores passkeys and confirms that its owner is present.

interface Device {
  devtools: CDPSession
  id: string
}

/** Adds a virtual authenticator to a page. If `finger` is false, its owner never confirms. */
async function withDevice(page: Page, finger = true): Promise<Device> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: id } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: finger },
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, id }
}

const credentialsOf = async ({ devtools, id }: Device) =>
  (await devtools.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials

/** Copies a passkey to another authenticator. `used` is the number of sign-ins to add to its counter. */
async function copyInto(device: Device, held: Awaited<ReturnType<typeof credentialsOf>>, used = 0): Promise<void> {
  const [one] = held
  if (!one) throw new Error('The device holds no passkey.')
  const credential = { ...one, signCount: one.signCount + used }
  await device.devtools.send('WebAuthn.addCredential', { authenticatorId: device.id, credential })
}

const row = (page: Page) => page.locator('#passkeys')

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/settings/account#passkeys')
  await row(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Your passkey was added.')).toBeVisible()
  await expect(row(page).getByRole('listitem')).toHaveCount(1)
}

const askForOne = async (page: Page) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
}

test('a passkey signs its owner in without their mailbox, until they remove it', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const page = await browserOf(browser, duet, ana)
  const device = await withDevice(page)
  await addPasskey(page)

  const elsewhere = await browserOf(browser, duet, undefined)
  await copyInto(await withDevice(elsewhere), await credentialsOf(device))
  await askForOne(elsewhere)
  await expect(elsewhere).toHaveURL(/\/home/)
  expect(await elsewhere.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').id)).toBe(ana.id)

  await row(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row(page).getByRole('listitem')).toHaveCount(0)
  const again = await browserOf(browser, duet, undefined)
  await copyInto(await withDevice(again), await credentialsOf(device))
  await askForOne(again)
  await expect(again.getByRole('alert')).toContainText('doesn’t know that passkey')
  for (const one of [page, elsewhere, again]) await one.context().close()
})

test('the email field offers a passkey, so that nobody needs to type their address', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const device = await withDevice(page)
  await addPasskey(page)
  const elsewhere = await browserOf(browser, duet, undefined)
  // A headless browser can't show a list of passkeys, so it uses the only one as soon as one exists.
  await copyInto(await withDevice(elsewhere), await credentialsOf(device))
  await elsewhere.goto('/login')
  const email = elsewhere.getByRole('textbox', { name: 'Email' })
  await expect(email).toHaveAttribute('autocomplete', 'username webauthn')
  await email.focus()
  await expect(elsewhere).toHaveURL(/\/home/)
  for (const one of [page, elsewhere]) await one.context().close()
})

test('a passkey confirms who is there before a password change, long after they signed in', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const ana = await someone(duet, 'Ana')
  const first = await browserOf(browser, duet, ana)
  const device = await withDevice(first)
  await addPasskey(first)
  const signIn = async (password: string) => {
    const body = JSON.stringify({ email: ana.email, password })
    const headers = { 'content-type': 'application/json' }
    return fetch(`${duet.baseURL}/api/user/authenticate`, { method: 'POST', headers, body })
  }
  const session = (await (await signIn('a long password')).json()) as Someone
  await inDatabase(duet, `update sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [
    ana.id,
  ])
  const page = await browserOf(browser, duet, session)
  await copyInto(await withDevice(page), await credentialsOf(device))
  await page.goto('/settings/account')
  await page.locator('#password').getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('dialog').getByLabel('New password').fill('another long password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /passkey/i })
    .click()
  await expect(page.getByText('Your password was saved.')).toBeVisible()
  expect((await signIn('another long password')).status).toBe(200)
  for (const one of [first, page]) await one.context().close()
})

test('a copied passkey is refused once the original has been used', { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  const device = await withDevice(page)
  await addPasskey(page)
  const before = await credentialsOf(device)
  const owner = await browserOf(browser, duet, undefined)
  const own = await withDevice(owner)
  // Set a higher counter than the copy will reach: background requests raise the copy's counter even if they aren't
  // used.
  await copyInto(own, before, 10)
  await askForOne(owner)
  await expect(owner).toHaveURL(/\/home/)
  const [thief, theirs] = await (async () => {
    const other = await browserOf(browser, duet, undefined)
    return [other, await withDevice(other)] as const
  })()
  await copyInto(theirs, before)
  await askForOne(thief)
  await expect(thief.getByRole('alert')).toContainText('doesn’t know that passkey')
  for (const one of [page, owner, thief]) await one.context().close()
})

test("nothing happens if the passkey's owner doesn't confirm", { tag: '@long' }, async ({ browser, duet }) => {
  const page = await browserOf(browser, duet, await someone(duet, 'Ana'))
  await withDevice(page, false)
  await page.goto('/settings/account#passkeys')
  await row(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(row(page).getByRole('button', { name: 'Add a passkey' })).toBeEnabled()
  await expect(row(page).getByRole('listitem')).toHaveCount(0)
  await expect(row(page).getByRole('alert')).toHaveCount(0)
  await page.context().close()
})
