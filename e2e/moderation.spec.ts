import type { Locator, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { administrator, asOwner, command } from './moderators.ts'
import { browserOf, type Someone, say, someone } from './people.ts'

test.use({ serverEnvironment: { DEMO: 'off', SUPER_ADMIN_EMAIL: 'mara@example.com' } })

const statement = 'You wrote that you know where someone lives and that you will come. That is a threat.'
const appealText = 'I meant the café where we wanted to meet, and we had laughed about it before.'
const answer = 'We read the whole conversation again. It was about the café, as you say. We are sorry.'

async function reportMessage(page: Page, about: Someone, text: string): Promise<void> {
  await page.goto(`/chat/${about.id}`)
  await page.getByRole('log').getByText(text).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this message' })
  await dialog.getByRole('radio', { name: 'Threats or violence' }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('dialog', { name: 'Thank you for telling us' }).waitFor()
}

async function signIn(page: Page, duet: Duet, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code').fill(await duet.outbox(email))
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Views the evidence by keyboard and suspends the person for seven days with a custom statement. */
async function suspend(admin: Page): Promise<void> {
  await admin.goto('/admin?view=reports')
  await admin.getByRole('list', { name: 'Open reports' }).getByRole('listitem').waitFor()
  await admin.keyboard.press('j')
  await expect(admin.getByText(/^Yours until/)).toBeVisible()
  await expect(admin.locator('[inert]').getByText('I know where you live')).toBeAttached()
  await admin.keyboard.press('o')
  await expect(admin.getByText('I know where you live')).toBeVisible()
  await expect(admin.locator('article [inert]')).toHaveCount(0)
  await admin.keyboard.press('s')
  const sheet = admin.getByRole('dialog', { name: 'Suspend Ben' })
  const words = sheet.getByLabel('What you’ll tell the person')
  await expect(words).toHaveValue(/It threatens someone/)
  await words.fill(statement)
  await expect(sheet.getByLabel('Days')).toHaveValue('7')
  await expect(sheet.getByRole('region', { name: 'What the person will read' })).toContainText(statement)
  await sheet.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(admin.getByText('No open reports')).toBeVisible()
}

const decisions = (page: Page): Locator => page.getByRole('list', { name: 'Decisions about your account' })

async function appealIn(page: Page): Promise<void> {
  await decisions(page).getByRole('button', { name: 'Appeal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await dialog.getByRole('button', { name: 'Send appeal' }).click()
  await expect(dialog.getByText('Write at least 20 characters.')).toBeVisible()
  await dialog.getByRole('textbox').fill(appealText)
  await dialog.getByRole('button', { name: 'Send appeal' }).click()
  await expect(decisions(page).getByText('Someone who didn’t make the decision')).toBeVisible()
}

async function reverse(admin: Page): Promise<void> {
  await admin.goto('/admin?view=appeals')
  await admin.getByRole('list', { name: 'Open appeals' }).getByRole('button', { name: /Ben/ }).click()
  await expect(admin.getByText(/^Yours until/)).toBeVisible()
  await expect(admin.getByText(appealText)).toBeVisible()
  await expect(admin.getByText(statement)).toBeVisible()
  await admin.keyboard.press('v')
  const sheet = admin.getByRole('dialog', { name: 'Reverse the decision about Ben' })
  await sheet.getByLabel('Your answer').fill(answer)
  await sheet.getByRole('button', { name: 'Reverse it' }).click()
  await expect(admin.getByText('No appeals for you')).toBeVisible()
}

test('a threat is reported, decided with reasons, appealed and reversed by another administrator, and the audit log shows tampering', {
  tag: '@long',
}, async ({ browser, duet }) => {
  const mara = await someone(duet, 'Mara', { email: 'mara@example.com' })
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await say(duet, anaWho, benWho, 'Good night')
  await say(duet, benWho, anaWho, 'I know where you live')
  const [ana, ben] = [await browserOf(browser, duet, anaWho), await browserOf(browser, duet, benWho)]
  await ben.goto('/home')
  await reportMessage(ana, benWho, 'I know where you live')

  const first = await browserOf(browser, duet, mara)
  await suspend(first)

  await expect(ben).toHaveURL(/\/login$/)
  await signIn(ben, duet, benWho.email)
  await expect(ben).toHaveURL(/\/standing$/)
  await expect(ben.getByRole('heading', { level: 1, name: 'Your account is suspended' })).toBeVisible()
  await expect(decisions(ben).getByText(statement)).toBeVisible()
  await expect(decisions(ben).getByText('Don’t threaten anyone.')).toBeVisible()
  await expect(decisions(ben).getByText('a person, not automatically')).toBeVisible()
  await expect(ben.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await ben.goto('/home')
  await expect(ben).toHaveURL(/\/standing$/)
  await appealIn(ben)

  // The administrator who made the decision can't answer its appeal, but another one reverses the decision.
  await first.goto('/admin?view=appeals')
  await expect(
    first.getByText('1 appeal has to be decided by someone else, because you had a part in the decision.'),
  ).toBeVisible()
  await expect(first.getByRole('list', { name: 'Open appeals' })).toHaveCount(0)
  const other = await administrator(browser, duet, 'Noor')
  await reverse(other.page)

  await ben.reload()
  await expect(ben.getByRole('heading', { level: 1, name: 'Your account is in good standing' })).toBeVisible()
  await expect(decisions(ben).getByText('You were right')).toBeVisible()
  await expect(decisions(ben).getByText(answer)).toBeVisible()
  await ben.getByRole('link', { name: 'Back to Duet' }).click()
  await expect(ben).toHaveURL(/\/home$/)
  await ben.goto('/settings/safety')
  await expect(decisions(ben).getByText(answer)).toBeVisible()

  await theRecordTells(duet, other.page)
  for (const page of [ana, ben, first, other.page]) await page.context().close()
})

async function theRecordTells(duet: Duet, admin: Page): Promise<void> {
  await admin.goto('/admin?view=record')
  await expect(admin.getByText(/^The record is intact/)).toBeVisible()
  const entries = admin.getByRole('list', { name: 'Entries of the record' })
  for (const act of [/Mara · decided a report/, /Mara · suspended someone/, /Noor · decided an appeal/])
    await expect(entries.getByText(act).first()).toBeVisible()
  const before = await command(duet, 'audit', 'verify')
  expect(before, before.said).toMatchObject({ code: 0 })

  const seq = await asOwner(duet, async (client) => {
    const { rows } = await client.query<{ seq: string }>(
      `update audit_log set reason = 'nothing to see' where action = 'sanctioned_suspension' returning seq`,
    )
    return rows[0]?.seq
  })
  const after = await command(duet, 'audit', 'verify')
  expect(after.code).toBe(1)
  expect(after.said).toContain(`entry ${seq} is not what was written`)
  await admin.reload()
  await expect(admin.getByRole('alert')).toContainText(`entry ${seq} isn’t what was written`)
}
