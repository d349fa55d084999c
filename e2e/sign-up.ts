import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { picture } from './people.ts'

/** Signs up with a mouse, step by step, and ends on the home screen. The location comes from the browser. */
export async function signUp(page: Page, duet: Duet, name: string): Promise<void> {
  const email = `${randomUUID()}@example.com`
  const next = () => page.getByRole('button', { name: 'Continue' }).click()
  await page.goto('/signup')
  await page.getByLabel('Email').fill(email)
  await next()
  await page.getByLabel('Code').fill(await duet.outbox(email))
  await next()
  await page.getByLabel('Name').fill(name)
  await next()
  await page.getByLabel('Day').fill('17')
  await page.getByLabel('Month').fill('05')
  await page.getByLabel('Year').fill('1994')
  await page.getByRole('checkbox').check()
  await next()
  await page.getByLabel('Nonbinary', { exact: true }).check()
  for (const label of ['Women', 'Men', 'Nonbinary people'])
    await page.getByRole('button', { name: label, exact: true }).click()
  await next()
  await page.getByLabel(/^Dating/).check()
  await next()
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(page.getByRole('heading', { name: 'Add your photos' })).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await picture('#a05030') })
  await expect(page.getByRole('button', { name: /photo 1/i }).first()).toBeVisible()
  await next()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByRole('link', { name: 'Meet people' }).click()
  await expect(page).toHaveURL(/\/home$/)
}
