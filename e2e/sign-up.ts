import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { type Hand, mouse } from './hands.ts'
import { picture } from './people.ts'

/** Signs up as people do, screen by screen; ends on the home screen. The place is that of the browser. */
export async function signUp(page: Page, duet: Duet, name: string, hand: Hand = mouse): Promise<void> {
  const email = `${randomUUID()}@example.com`
  const next = () => hand.press(page.getByRole('button', { name: 'Continue' }))
  await page.goto('/signup')
  await hand.write(page.getByLabel('Email'), email)
  await next()
  await hand.write(page.getByLabel('Code'), await duet.outbox(email))
  await next()
  await hand.write(page.getByLabel('Name'), name)
  await next()
  await hand.write(page.getByLabel('Day'), '17')
  await hand.write(page.getByLabel('Month'), '05')
  await hand.write(page.getByLabel('Year'), '1994')
  await hand.check(page.getByRole('checkbox'))
  await next()
  await hand.check(page.getByLabel('Nonbinary', { exact: true }))
  for (const label of ['Women', 'Men', 'Nonbinary people'])
    await hand.press(page.getByRole('button', { name: label, exact: true }))
  await next()
  await hand.check(page.getByLabel(/^Dating/))
  await next()
  await hand.press(page.getByRole('button', { name: 'Use my location' }))
  await expect(page.getByRole('heading', { name: 'Add your photos' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture('#a05030') })
  await expect(page.getByRole('button', { name: /photo 1/i }).first()).toBeVisible()
  await next()
  await hand.press(page.getByRole('button', { name: 'Skip for now' }))
  await hand.press(page.getByRole('link', { name: 'Meet people' }))
  await expect(page).toHaveURL(/\/home$/)
}
