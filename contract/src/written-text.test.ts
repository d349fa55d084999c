import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { Name } from './accounts.ts'
import { promptIds } from './catalogue.ts'
import { Comment } from './likes.ts'
import { limits } from './limits.ts'
import { MessageText } from './message-parts.ts'
import { PhotoAlt } from './photos.ts'
import { PrivacyChanges } from './privacy.ts'
import { ProfileChanges, PromptAnswer } from './profiles.ts'
import { line, optionalLine, optionalProse, prose, Statement } from './prose.ts'
import { asLine, asProse, excessOf, isVisible } from './written-text.ts'

/** Words in many scripts, with the joiners and combining marks that their spelling requires. */
const names: Record<string, string> = {
  ...{ Arabic: 'مُحمَّد', Armenian: 'Արամ', Bengali: 'র‍্যাব', Cyrillic: 'Олёна', Devanagari: 'क्‍षमा', Ethiopic: 'ሰላም' },
  ...{
    Georgian: 'ნინო',
    Greek: 'Ελένη',
    Gujarati: 'હેત',
    Han: '张伟',
    Hangul: '지우',
    Hebrew: 'נֹעַם',
    Hiragana: 'さくら',
  },
  ...{ Khmer: 'សុខ', Latin: 'Zoë', Malayalam: 'ആതിര‍', Persian: 'می‌خواهم', Sinhala: 'ශ්‍රී', Tamil: 'தமிழ்', Thai: 'สมชาย' },
}
const emoji = {
  rainbow: '🏳️‍🌈',
  family: '👩‍👩‍👧‍👦',
  Scotland: '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  heart: '❤️',
  keycap: '1️⃣',
}
const texts = Object.entries({ ...names, ...emoji })

const schemas = {
  name: Name,
  message: MessageText,
  comment: Comment,
  alt: PhotoAlt,
  answer: PromptAnswer.shape.answer,
  ...ProfileChanges.pick({ bio: true, genderText: true, pronouns: true }).required().shape,
  ...{ line: line(40), optionalLine: optionalLine(40), prose: prose(1, 40), optionalProse: optionalProse(40) },
}
const parse = (schema: z.ZodType, text: string) => schema.safeParse(text).data

describe.each(Object.entries(schemas))('%s', (_name, schema) => {
  it.each(texts)('keeps %s unchanged apart from normalising it to NFC: %s', (_script, text) => {
    expect(parse(schema, text)).toBe(text.normalize('NFC'))
    expect(parse(schema, parse(schema, text) as string)).toBe(text.normalize('NFC'))
  })

  it('drops control characters, unpaired surrogates and bidirectional overrides', () => {
    expect(parse(schema, 'a\0\u0007\u202e\u2066\ud83db\ufeff')).toBe('ab')
  })

  it.each(['\t', '\n', '\r\n', '\r', '\u0085', '\u2028'])('keeps words separated by %j apart', (space) => {
    expect(parse(schema, `one${space}two`)).toMatch(/^one\s(two)$/)
  })
})

const blanks: Record<string, string> = {
  ...{
    space: ' \u3000\u00a0\t\n',
    'Hangul fillers': '\u3164\u115f\u1160\uffa0',
    'variation selectors': '\ufe0f\ufe0e\u{e0100}',
  },
  ...{
    'braille blank': '\u2800',
    'soft hyphen': '\u00ad',
    'marks alone': '\u0301\u0e38\u20e3',
    'tags alone': '\u{e0067}\u{e007f}',
  },
  ...{
    joiners: '\u200b\u200c\u200d\u2060\ufeff',
    'direction marks': '\u200e\u200f\u061c',
    'Khmer vowels': '\u17b4\u17b5',
  },
  ...{
    'Mongolian separators': '\u180e\u180b',
    'null notehead': '\u{1d159}',
    'Egyptian blanks': '\u{13441}\u{13442}',
    objects: '\ufffc',
  },
  ...{
    'grapheme joiner': '\u034f',
    'musical controls': '\u{1d173}',
    'shorthand controls': '\u{1bca0}',
    halves: '\ud83d',
  },
}

describe.each(Object.entries(blanks))('a text of nothing but %s', (_name, text) => {
  it('is invisible: required fields reject it, and optional fields store an empty string', () => {
    for (const one of [text, ...text]) {
      expect(isVisible(one)).toBe(false)
      for (const schema of [Name, MessageText, Comment, line(40), prose(1, 40), prose(20, 400)])
        expect(schema.safeParse(one.repeat(20)).success).toBe(false)
      for (const schema of [PhotoAlt, PromptAnswer.shape.answer, optionalLine(40), optionalProse(40)])
        expect(schema.parse(one)).toBe('')
      expect(MessageText.parse(`${one}x${one}`)).toContain('x')
    }
  })
})

it.each([
  ...texts,
  ['a dot', '.'],
  ['a sign', '+'],
  ['a combined sign', '☺︎'],
  ['a letter within blanks', '\u3164ㅏ\u3164'],
])('counts %s as visible: %s', (_what, text) => {
  expect(isVisible(text)).toBe(true)
})

it('drops invisible entries from lists rather than rejecting a list that holds entries saved under older rules', () => {
  expect(PrivacyChanges.parse({ hiddenWords: ['\u0301', 'tea'] })).toEqual({ hiddenWords: ['tea'] })
  const [first, second] = promptIds
  const prompts = [
    { prompt: first, answer: '\u0301' },
    { prompt: second, answer: 'Tea' },
  ]
  expect(ProfileChanges.parse({ prompts })).toEqual({ prompts: prompts.slice(1) })
})

describe('lengths', () => {
  it('are measured in the stored form by the web app and by the server', () => {
    for (const text of [
      'é'.normalize('NFD').repeat(500),
      `  ${'x'.repeat(500)}\n\n`,
      `${'\r\n'}${'x\r\n'.repeat(250)}`,
      '\u0958'.repeat(250),
    ]) {
      expect(excessOf(text, limits.bioLength)).toBe(0)
      expect(optionalProse(limits.bioLength).parse(text).length).toBeLessThanOrEqual(limits.bioLength)
    }
    expect(excessOf('x'.repeat(503), limits.bioLength)).toBe(3)
    expect(optionalProse(limits.bioLength).safeParse('x'.repeat(501)).success).toBe(false)
    expect(Statement.safeParse(`${'x'.repeat(19)}\0 `).success).toBe(false)
  })

  it('count a run of spaces in a one-line text as one character', () => {
    expect(excessOf('a  b', 3, asLine)).toBe(0)
    expect(excessOf('a  b', 2, asLine)).toBe(1)
  })

  it('never change later: normalising a stored text again changes nothing', () => {
    const joined = ['a\u202e\u0301', 'e\0\u0301', '\u1100\u202a\u1161']
    for (const text of [...texts, ...Object.entries(blanks)].map(([, text]) => text).concat(joined)) {
      expect(asProse(text)).toBe(asProse(text).normalize('NFC'))
      expect(asProse(asProse(text))).toBe(asProse(text))
      expect(asLine(asLine(text))).toBe(asLine(text))
    }
  })
})
