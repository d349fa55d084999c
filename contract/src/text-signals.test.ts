import { describe, expect, it } from 'vitest'
import { hiddenBy } from './hidden-words.ts'
import { phrases } from './text-signals.test-phrases.ts'
import { signalsIn, textSignals } from './text-signals.ts'

/** Returns the duration of the fastest of five runs, in milliseconds, to exclude pauses of the machine. */
function cost(act: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (let n = 0; n < 5; n++) act()
    return performance.now() - start
  })
  return Math.min(...times)
}

describe('warning signs in texts', () => {
  const telling = phrases.flatMap(([text, ...signals]) => signals.map((signal) => ({ text, signal })))
  const harmless = phrases.flatMap(([text, ...signals]) => (signals.length === 0 ? [text] : []))

  it('accuracy is measured on enough phrases of each kind and language', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(120)
    expect(new Set(phrases.map(([text]) => text)).size).toBe(phrases.length)
    for (const signal of textSignals)
      expect(telling.filter((one) => one.signal === signal).length, signal).toBeGreaterThanOrEqual(5)
    expect(harmless.length).toBeGreaterThanOrEqual(60)
  })

  it('at least four of five signs are found, in each language', () => {
    const missed = telling.filter(({ text, signal }) => !signalsIn(text).includes(signal))
    const list = missed.map(({ text, signal }) => `${signal}: ${text}`).join('\n')
    expect(1 - missed.length / telling.length, list).toBeGreaterThanOrEqual(0.8)
    for (const signal of textSignals) {
      const all = telling.filter((one) => one.signal === signal)
      const here = missed.filter((one) => one.signal === signal)
      expect(1 - here.length / all.length, list).toBeGreaterThanOrEqual(0.75)
    }
    const isArabic = ({ text }: { text: string }) => /\p{sc=Arab}/u.test(text)
    expect(1 - missed.filter(isArabic).length / telling.filter(isArabic).length, list).toBeGreaterThanOrEqual(0.8)
  })

  it('at most one of twenty harmless phrases raises a sign', () => {
    const alarms = harmless.filter((text) => signalsIn(text).length > 0)
    expect(alarms.length / harmless.length, alarms.join('\n')).toBeLessThanOrEqual(0.05)
  })

  it('numbers that only look like account or phone numbers raise no sign', () => {
    expect(signalsIn('DE89 3704 0044 0532 0130 01')).not.toContain('iban')
    expect(signalsIn('from 2019-2024, on 2026-11-21, 1 000 000 people')).toEqual([])
  })

  it('the hardest text costs little more than a plain text of the same length', () => {
    const plain = 'We walked by the river and talked about films. '.repeat(50).slice(0, 2_000)
    const hard = ['1 '.repeat(1_000), 'send '.repeat(400), 'a.'.repeat(1_000), "i'll ".repeat(400), 'ä'.repeat(2_000)]
    for (const text of [...hard, hard.join('').repeat(10)]) {
      expect(cost(() => signalsIn(text)) / cost(() => signalsIn(plain))).toBeLessThan(500)
    }
  })
})

describe('hidden words', () => {
  it.each([
    ['cat', 'My CAT is here', true],
    ['cat', 'concatenate', false],
    ['cat', 'scattered, cats', false],
    ['cafe', 'un café, por favor', true],
    ['Café', 'CAFE!', true],
    ['über', 'uber', true],
    ['two words', 'two\n  words', true],
    ['c++', 'I write c++ for money', true],
    ['ex-wife', 'My EX-WIFE called', true],
    ['ex-wife', 'my ex wife called', false],
    ['e－mail', 'send an e-mail', true],
    ['a.b', 'axb', false],
    ['كتاب', 'والكتابة', true],
    ['أحمق', 'يا احمق', true],
    ['مرحبا', 'مَرْحَبًا', true],
    ['猫', '大きな猫です', true],
    ['ねこ', 'かわいいねこ', true],
    ['바보', '너는바보야', true],
    ['тест', 'тестовый', false],
    ['тест', 'это Тест.', true],
    ['x', 'ｘ marks it', true],
  ])('%s in “%s”: %s', (word, text, expected) => {
    expect(hiddenBy([word])(text)).toBe(expected)
  })

  it('no hidden words match nothing', () => {
    expect(hiddenBy([])('anything')).toBe(false)
    expect(hiddenBy([' '])('any thing')).toBe(false)
  })

  it('fifty hidden words that nearly match everywhere cost little more than a plain text', () => {
    const isHidden = hiddenBy(Array.from({ length: 50 }, (_, n) => `${'a'.repeat(39)}${n % 10}`))
    const hard = 'a'.repeat(2_000)
    expect(isHidden(hard)).toBe(false)
    expect(cost(() => isHidden(hard)) / cost(() => isHidden('b '.repeat(1_000)))).toBeLessThan(500)
  })
})
