import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { answerMail } from '../server/src/features/appeals/answer-mail.ts'
import { erasureMail, unusedMail } from '../server/src/features/data-rights/data-rights-mails.ts'
import { contactMail } from '../server/src/features/dates/contact-mail.ts'
import { composeDigest, type DigestItem, type DigestLevel } from '../server/src/features/mails/digest.ts'
import { statementMail } from '../server/src/features/sanctions/statement-mail.ts'
import { createSecrets } from '../server/src/platform/security/secrets.ts'
import { violationsOf } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { folder } from './look.ts'

// Renders emails as email programs do, without a server. SCREENS=folder saves the pictures.

const languages = ['en', 'es', 'ar'] as const
type Language = (typeof languages)[number]

const secrets = createSecrets('a key for tests, long enough to be one')
const platform = { config: { publicUrl: 'https://duet.example', port: 0 }, secrets } as never
const names = { en: 'Mina', es: 'Íñigo', ar: 'ليلى' }
const urls = {
  app: 'https://duet.example/home',
  stop: `https://duet.example/unsubscribe?token=${'a'.repeat(80)}`,
  settings: 'https://duet.example/settings/notifications',
}
const news: DigestItem[] = [
  { kind: 'photo_approved' },
  { kind: 'message', name: 'Jun', text: 'See you at the market on Saturday? I’ll bring coffee.', count: 2 },
  { kind: 'message', name: 'سارة', text: 'مرحبًا! كيف كان يومك؟' },
  { kind: 'like', count: 3 },
  { kind: 'match', name: 'Ana María' },
  ...Array.from({ length: 7 }, (_, at): DigestItem => ({ kind: 'nearby', name: `Noa ${'abcdefg'[at]}` })),
]

const digest = (language: Language, level: DigestLevel) =>
  composeDigest(language, { name: names[language], items: news, level, urls })

function statement(language: Language) {
  const decided = { kind: 'suspension', ground: 'harassment', automated: false, created_at: new Date('2026-11-20') }
  const row = { ...decided, ends_at: new Date('2026-12-01'), statement: 'You wrote “<b>no</b>”.\nYou wrote it twice.' }
  return statementMail(platform, row as never, { email: 'a@example.com', name: names[language], language })
}

const contact = (language: Language) =>
  contactMail(platform, {
    ...{ id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff', token_hash: Buffer.alloc(32), user_id: '', contact_tries: 1 },
    ...{ name: names[language], language, contact_email: 'friend@example.com' },
  } as never)

const mails: Record<string, (language: Language) => { html?: string } | undefined> = {
  digest: (language) => digest(language, 'text'),
  'digest-names': (language) => digest(language, 'name'),
  'digest-discreet': (language) => digest(language, 'none'),
  statement,
  contact,
  answer: (language) =>
    answerMail(
      { email: 'a@example.com', name: names[language], language },
      { outcome: 'upheld', answer: 'The messages were sent from your account. 2 < 3.', byLifting: false },
    ),
  erasure: (language) => erasureMail(language, new Date('2026-12-10')),
  unused: (language) => unusedMail(language),
}

for (const [name, compose] of Object.entries(mails))
  test(`the email "${name}" renders in every language, in both themes, on narrow and wide screens`, {
    tag: name === 'digest' ? [] : '@long',
  }, async ({ browser }) => {
    for (const language of languages) {
      const context = await browser.newContext({ javaScriptEnabled: true, offline: true })
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', ({ url }) => asked.push(url()))
      await page.setContent(compose(language)?.html ?? '')
      for (const width of [390, 640])
        for (const colorScheme of ['light', 'dark'] as const) {
          const where = `mail-${name}-${language}-${width}-${colorScheme}`
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme })
          if (folder) {
            mkdirSync(folder, { recursive: true })
            await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true })
          }
          const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overhang, where).toBeLessThanOrEqual(0)
          expect(await violationsOf(page, '.page'), where).toEqual([])
        }
      expect(asked).toEqual([])
      await context.close()
    }
  })
