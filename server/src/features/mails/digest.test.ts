import { NotificationKind } from '@duet/contract/notifications.ts'
import { describe, expect, it } from 'vitest'
import { composeDigest, type DigestItem, type DigestLevel } from './digest.ts'

const urls = { app: 'https://duet.example/', stop: 'https://duet.example/stop', settings: 'https://duet.example/set' }
const digest = (items: DigestItem[], level: DigestLevel = 'name', language: 'en' | 'es' | 'ar' = 'en') =>
  composeDigest(language, { name: 'Mina', items, level, urls })

const family = '👩‍👩‍👧‍👦'

const talk: DigestItem[] = [
  { kind: 'photo_approved' },
  { kind: 'like', count: 3 },
  { kind: 'message', name: 'Jun', text: 'See you at the market?', count: 2 },
  { kind: 'match', name: 'Ana' },
]

describe('a digest', () => {
  it("a digest isn't sent when nothing has happened", () => {
    expect(digest([])).toBeUndefined()
  })

  it('a digest lists news about people before news about oneself, and ends with links to the app and to unsubscribe', () => {
    const { subject, text, html } = digest(talk) ?? {}
    expect(subject).toBe('You have news on Duet')
    expect(text).toBe(
      [
        'Hello Mina,',
        "Here's what's new:",
        '- It’s a match: you and Ana\n- Jun sent you 2 messages\n- 3 people like you\n- Your photo was approved',
        'Open Duet:\nhttps://duet.example/',
        "You're getting this email because you chose to get news by email.",
        'Stop these emails:\nhttps://duet.example/stop',
        'Choose what you get:\nhttps://duet.example/set\n',
      ].join('\n\n'),
    )
    for (const url of Object.values(urls)) expect(html).toContain(`href="${url}"`)
  })

  it('a digest reveals as much as its reader has chosen', () => {
    const [text, name, none] = (['text', 'name', 'none'] as const).map((level) => digest(talk, level))
    expect(text?.text).toContain('Jun sent you 2 messages: “See you at the market?”')
    for (const mail of [name, none])
      for (const part of [mail?.subject, mail?.text, mail?.html]) expect(part).not.toContain('market')
    for (const secret of ['Jun', 'Ana', 'match', 'like', 'photo', 'messages'])
      for (const part of [none?.subject, none?.text]) expect(part).not.toContain(secret)
    expect(none?.html).not.toMatch(/Jun|Ana\b|match:/)
  })

  it.each(['en', 'es', 'ar'] as const)(
    'a digest in %s has a subject and a beginning that reveal nothing',
    (language) => {
      for (const level of ['name', 'none'] as const)
        for (const kind of NotificationKind.options) {
          const { subject = '', html = '' } = digest([{ kind, name: 'Jun', text: 'Hi' }], level, language) ?? {}
          expect(subject).toBe(digest([{ kind: 'welcome' }], 'none', language)?.subject)
          expect(/<div style="display:none[^>]*>([^&]*)/.exec(html)?.[1]).not.toContain('Jun')
        }
    },
  )

  it('a digest with one item names it in the subject for people who allow full text in email', () => {
    expect(digest([{ kind: 'match', name: 'Ana' }], 'text')?.subject).toBe('It’s a match: you and Ana')
    expect(digest(talk, 'text')?.subject).toBe('You have news on Duet')
  })

  it.each(['en', 'es', 'ar'] as const)('a digest in %s lists eight items and counts the others', (language) => {
    const items = Array.from({ length: 20 }, (_, at): DigestItem => ({ kind: 'match', name: `Ana${'a'.repeat(at)}` }))
    const lines = digest(items, 'name', language)?.text.match(/^- .*/gm) ?? []
    expect(lines).toHaveLength(9)
    expect(lines.at(-1)).toContain('12')
    expect(digest(items.slice(0, 8), 'name', language)?.text.match(/^- .*/gm)).toHaveLength(8)
  })

  it('a digest contains no link, number or offer from a stranger, neither in a name nor in a text', () => {
    const items: DigestItem[] = [
      { kind: 'message', name: 'www.evil.example', text: 'Look at evil.example' },
      { kind: 'message', name: 'Jun', text: 'Call me at +34 600 000 000' },
    ]
    const { text } = digest(items, 'text') ?? {}
    expect(text).not.toMatch(/evil|600/)
    expect(text).toContain('- Someone messaged you\n- Jun messaged you\n')
  })

  it('a digest cuts long texts between characters and shows markup as written', () => {
    const { text = '', html = '' } =
      digest([{ kind: 'message', name: '<b>Jun</b>', text: `<i>${family.repeat(200)}` }], 'text') ?? {}
    expect(text).toMatch(new RegExp(`^- <b>Jun</b> messaged you: “<i>(${family})+…”$`, 'mu'))
    expect(html).toContain('&lt;b&gt;Jun&lt;/b&gt;')
    expect(html).not.toMatch(/<[bi]>/)
  })

  it('a digest in Arabic uses the right number forms and isolates names in the other direction', () => {
    const lines = [1, 2, 5, 12].map((count) => digest([{ kind: 'message', name: 'Jun', count }], 'name', 'ar')?.text)
    for (const [at, words] of ['رسالة من', 'رسالتان من', '5 رسائل من', '12 رسالة من'].entries())
      expect(lines[at]).toContain(`- ${words} \u2068Jun\u2069`)
  })
})
