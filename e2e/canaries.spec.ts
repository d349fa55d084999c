import type { Browser, Page } from '@playwright/test'
import { reportBeside } from '../tools/report.ts'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, type Someone, say, someone, wellington } from './people.ts'
import { stored } from './stored.ts'

const near = { at: wellington, profile: { gender: 'woman', interestedIn: ['woman', 'man', 'nonbinary'] } }
const password = 'a long password'

interface Asked {
  method: string
  path: string
  body?: unknown
  token?: string
}

async function ask<T>(duet: Duet, { method, path, body, token }: Asked): Promise<T> {
  const response = await fetch(duet.baseURL + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.ok, path).toBe(true)
  return (await response.json()) as T
}

async function elsewhere(duet: Duet, { email }: Someone): Promise<string> {
  const body = { email, password }
  return (await ask<Someone>(duet, { method: 'POST', path: '/api/user/authenticate', body })).token
}

interface End {
  how: string
  end(page: Page, duet: Duet, ana: Someone): Promise<void>
}
const ends: End[] = [
  {
    how: 'signed out',
    async end(page) {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      const really = page.getByRole('alertdialog').getByRole('button', { name: /sign out/i })
      if (await really.isVisible()) await really.click()
    },
  },
  {
    how: 'ended the session on another device',
    async end(_page, duet, ana) {
      const token = await elsewhere(duet, ana)
      const path = '/api/user/sessions'
      const { sessions } = await ask<{ sessions: { id: string; current: boolean }[] }>(duet, {
        method: 'GET',
        path,
        token,
      })
      for (const { id } of sessions.filter(({ current }) => !current))
        await ask(duet, { method: 'DELETE', path: `${path}/${id}`, token })
    },
  },
  {
    how: 'asked for erasure on another device',
    async end(_page, duet, ana) {
      await ask(duet, { method: 'POST', path: '/api/erasure', body: {}, token: await elsewhere(duet, ana) })
    },
  },
]

/**
 * Returns a device on which someone has read chats, browsed and been blocked, and the strings that must not remain on
 * it.
 */
async function usedDevice(browser: Browser, duet: Duet, place: number) {
  const name = (who: string) => `Canary${who}${'abc'[place]}`
  const [ana, ben, cleo] = [
    await someone(duet, name('ana'), near),
    await someone(duet, name('ben'), near),
    await someone(duet, name('cleo'), near),
  ]
  for (const other of [ben, cleo]) await say(duet, other, ana, `canary that ${other.name} sang`)
  const page = await browserOf(browser, duet, ana, { serviceWorkers: 'allow' })
  await page.goto('/home')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto(`/profile/${cleo.id}`)
  await expect(page.getByRole('heading', { name: cleo.name })).toBeVisible()
  await page.goto(`/chat/${ben.id}`)
  await expect(page.getByRole('log').getByText(`canary that ${ben.name} sang`)).toBeVisible()
  const canaries = [ana, ben, cleo].flatMap(({ id, name: called }) => [id, called])
  return { page, ana, ben, cleo, canaries: [...canaries, ana.email, ana.token, 'canary that'] }
}

test('however someone leaves, no browser storage holds anything about them afterwards', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const left: string[] = []
  for (const [place, { how, end }] of ends.entries()) {
    const { page, ana, ben, cleo, canaries } = await usedDevice(browser, duet, place)
    const leftOf = async (all: readonly string[]) => {
      const text = await stored(page)
      return all.filter((canary) => text.includes(canary))
    }
    await expect.poll(() => leftOf(canaries)).toEqual(canaries)
    await ask(duet, { method: 'PUT', path: `/api/blocks/${ben.id}`, token: ana.token })
    await page.goto('/home')
    const ofBen = [ben.name, `canary that ${ben.name} sang`]
    await expect.poll(async () => [await leftOf(ofBen), await leftOf([cleo.name])]).toEqual([[], [cleo.name]])
    left.push(...(await leftOf(ofBen)))
    await end(page, duet, ana)
    await expect(page, how).toHaveURL(/\/(login)?$/)
    await expect.poll(() => leftOf(canaries), how).toEqual([])
    await page.reload()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    left.push(...(await leftOf(canaries)))
    await page.context().close()
  }
  const where = 'local and session storage, IndexedDB, caches, cookies and the state of the history'
  const note = `in ${where}, after a block and when someone has ${ends.map(({ how }) => how).join('; ')}`
  reportBeside('reach', [{ id: 'R10.canaries_left', value: left.length, target: '0', note }])
  expect(left).toEqual([])
})
