import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../fixtures.ts'
import { picture, say, someone } from '../people.ts'
import { engines, lacking } from './engines.ts'
import { Remote } from './remote.ts'

const places = { WebKit: { latitude: -36.85, longitude: 174.76 }, Firefox: { latitude: -43.53, longitude: 172.64 } }

for (const [engine, { start }] of Object.entries(engines))
  test(`someone signs in, adds a photo, matches, chats, changes a setting and signs out in ${engine}`, {
    tag: '@long',
  }, async ({ duet }) => {
    test.skip(Boolean(lacking(engine)), lacking(engine))
    const at = places[engine as keyof typeof places]
    const prompts = [{ prompt: 'proud_of', answer: 'I built my own table.' }]
    const ben = await someone(duet, 'Ben', { at, profile: { prompts, gender: 'man' }, photo: '#3b6ea5' })
    const mina = await someone(duet, 'Mina', { at, profile: { gender: 'nonbinary' } })
    const headers = { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ decision: 'like' })
    await fetch(`${duet.baseURL}/api/decisions/${mina.id}`, { method: 'PUT', headers, body })
    const folder = mkdtempSync(join(tmpdir(), 'duet-photo-'))
    const photo = join(folder, 'me.jpg')
    writeFileSync(photo, await picture('#a05030'))
    const { command, stop } = await start()
    const page = new Remote(command, duet.baseURL)
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    const dialog = (name: string) => page.getByRole('dialog', { name })
    try {
      await page.goto('/login')
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByLabel('Email').fill(mina.email)
      await press('Send code')
      await page.getByLabel('Code').fill(await duet.outbox(mina.email))
      await press(/^Sign in$/)
      await page.getByRole('region', { name: 'Deck' }).waitFor()

      await page.goto(`/profile/${mina.id}`)
      await page.locator('input[type=file]').first().setInputFiles(photo)
      await press('Change photo 1')
      await page.getByRole('menuitem', { name: 'Describe this photo' }).click()
      await dialog('Describe this photo').waitFor()
      await page.keyboard.press('Escape')
      await dialog('Describe this photo').waitFor({ state: 'hidden' })

      await page.goto('/home')
      await page.getByRole('button', { name: 'Like this answer' }).first().click()
      await dialog('Like Ben’s answer').getByLabel('Add a comment').fill('What wood?')
      await dialog('Like Ben’s answer').getByRole('button', { name: 'Like' }).click()
      const match = dialog('It’s a match: you and Ben')
      await match.getByLabel('Reply to Ben').fill('Tell me everything.')
      await match.getByRole('button', { name: 'Send' }).click()
      const log = page.getByRole('log', { name: 'Conversation with Ben' })
      await log.getByText('Tell me everything.').waitFor()

      await say(duet, ben, mina, 'Oak, and a lot of it.')
      await log.getByText('Oak, and a lot of it.').click({ button: 'right' })
      await page.locator('[aria-label="React with ❤️"]').click()
      await log.getByRole('button', { name: /^Your reaction ❤️/ }).waitFor()
      await page.getByRole('textbox', { name: 'Message' }).fill('Show me')
      await page.getByRole('textbox', { name: 'Message' }).press('Enter')
      await log.getByText('Show me').waitFor()

      await page.goto('/settings/privacy')
      await page.getByRole('switch', { name: /^Blur photos/ }).click()
      const blurs = () =>
        fetch(`${duet.baseURL}/api/privacy`, { headers: { authorization: `Bearer ${mina.token}` } }).then((answer) =>
          answer.json(),
        )
      await expect.poll(blurs).toMatchObject({ blurPhotos: true })
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Sign out', exact: true }).last().click()
      await page.getByRole('button', { name: 'Send code' }).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    } finally {
      await stop()
      rmSync(folder, { recursive: true })
    }
  })
