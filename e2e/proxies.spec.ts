import type { Browser, Page } from '@playwright/test'
import type { Duet } from '../tools/server.ts'
import { expect, test } from './fixtures.ts'
import { browserOf, say, someone } from './people.ts'
import { type Kind, openProxy } from './proxy.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const log = (page: Page, name: string) => page.getByRole('log', { name: `Conversation with ${name}` })
const bubble = (page: Page, name: string, text: string) => log(page, name).getByText(text, { exact: true })

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  console.info(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** Sets up a chat between Ana, who is behind a proxy, and Ben, who connects directly and has the chat open. */
async function talking(chrome: Browser, duet: Duet, kind: Kind) {
  const [anaWho, benWho] = [await someone(duet, 'Ana'), await someone(duet, 'Ben')]
  await say(duet, benWho, anaWho, 'Hello Ana')
  const proxy = await openProxy(kind)
  const ana = await browserOf(chrome, duet, anaWho, { proxy: { server: proxy.url } })
  const ben = await browserOf(chrome, duet, benWho)
  await ben.goto(`/chat/${anaWho.id}`)
  await expect(bubble(ben, 'Ana', 'Hello Ana')).toBeVisible()
  const write = async (text: string) => {
    await box(ana).fill(text)
    // Until the chat is connected, Enter does nothing and the text stays in the box, so retry.
    await expect(async () => {
      if (await box(ana).inputValue()) await box(ana).press('Enter')
      expect(await box(ana).inputValue()).toBe('')
    }).toPass()
    await expect(bubble(ben, 'Ana', text)).toBeVisible()
  }
  const hear = async (text: string) => {
    await say(duet, benWho, anaWho, text)
    await expect(bubble(ana, 'Ben', text)).toBeVisible()
  }
  const end = async () => {
    for (const page of [ana, ben]) await page.context().close()
    await proxy.close()
  }
  return { ana, benWho, proxy, write, hear, end }
}

const does = {
  refuses: 'refuses a WebSocket',
  silent: 'never answers a WebSocket request',
  mute: 'accepts a WebSocket but passes no frames',
  freezes: 'stops passing WebSocket frames',
} as const
for (const kind of ['refuses', 'silent', 'mute', 'freezes'] as const)
  test(`long polling gets around a proxy that ${does[kind]}`, { tag: '@long' }, async ({ browser, duet }) => {
    const { ana, benWho, write, hear, end } = await talking(browser, duet, kind)
    try {
      await timed(`${kind}, earlier message shown`, async () => {
        await ana.goto(`/chat/${benWho.id}`)
        await expect(bubble(ana, 'Ben', 'Hello Ana')).toBeVisible()
      })
      await timed(`${kind}, received`, () => hear('Can you hear me?'))
      await timed(`${kind}, sent`, () => write('I can'))
      await timed(`${kind}, sent after a reload`, async () => {
        await ana.reload()
        await write('Still here')
      })
    } finally {
      await end()
    }
  })

for (const first of ['sent', 'received'] as const)
  test(`no message is lost when a WebSocket freezes before one is ${first}`, { tag: '@long' }, async ({
    browser,
    duet,
  }) => {
    const { ana, benWho, proxy, write, hear, end } = await talking(browser, duet, 'passes')
    try {
      await ana.goto(`/chat/${benWho.id}`)
      await write('One')
      proxy.become('mute')
      await timed(`frozen, ${first}`, () => (first === 'sent' ? write('Two') : hear('Two')))
      await timed('frozen, in the other direction', () => (first === 'sent' ? hear('Three') : write('Three')))
    } finally {
      await end()
    }
  })

const flapMs = 3_000

test('no message is lost while the network drops and returns every few seconds', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const { ana, benWho, proxy, write, hear, end } = await talking(browser, duet, 'passes')
  let flapping: ReturnType<typeof setInterval> | undefined
  try {
    await ana.goto(`/chat/${benWho.id}`)
    await write('One')
    let isLost = false
    flapping = setInterval(() => {
      isLost = !isLost
      proxy.lose(isLost)
    }, flapMs)
    for (const n of ['two', 'three', 'four']) {
      await timed(`flapping, received ${n}`, () => hear(`Ben says ${n}`))
      await timed(`flapping, sent ${n}`, () => write(`Ana says ${n}`))
    }
  } finally {
    clearInterval(flapping)
    await end()
  }
})
