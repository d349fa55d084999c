import { describe, expect, it } from 'vitest'
import { simhash } from './simhash.ts'

function apart(one: string, other: string, names: [string?, string?] = []): number {
  const [a, b] = [simhash(one, names[0]), simhash(other, names[1])]
  if (a === undefined || b === undefined) throw new Error('too short')
  return BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length
}

const line = 'Hello dear, I saw your lovely profile and I would like to know you better, write to me soon'

describe('the simhash of a text', () => {
  it('a short text has no simhash', () => {
    for (const text of ['hi', 'Hello there!', '', '   !!! ... 12345 67890 12345 67890'])
      expect(simhash(text)).toBeUndefined()
  })

  it("case, accents, signs, numbers, spaces and the receiver's name don't change the simhash", () => {
    expect(
      apart(
        line,
        '  HÉLLO dear!! I saw   your lovely profile - and I would like to know you better; write to me soon 😍',
      ),
    ).toBeLessThan(4)
    expect(apart(`Call 5551 now, ${line}`, `Call 90210 now, ${line}`)).toBe(0)
    expect(apart(`Ana, ${line}`, `Benjamín, ${line}`, ['Ana', 'Benjamin'])).toBe(0)
    expect(apart(`مرحبا أنا أحب أن أتعرف عليك أكثر من فضلك`, `مَرحبا انا احب ان اتعرف عليك اكثر من فضلك`)).toBe(0)
  })

  it('small changes change the simhash a little, and other texts a lot', () => {
    expect(apart(line, `${line}!`)).toBeLessThan(4)
    expect(apart(line, `${line} x`)).toBeLessThan(4)
    const others = [
      'Your photo in the mountains made me smile. Which trail was that? I am there most weekends.',
      'So you play the cello! I gave up the piano at twelve and have regretted it ever since.',
      'Two truths and a lie: I have met a bear, I cannot swim, I once won a pie contest. You?',
      'Hello, I saw that you like cooking, what would you make for someone who eats no meat?',
    ]
    for (const [place, text] of others.entries())
      for (const other of [line, ...others.slice(place + 1)]) expect(apart(text, other)).toBeGreaterThan(10)
  })
})
