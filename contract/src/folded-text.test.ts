import { describe, expect, it } from 'vitest'
import { foldedText } from './folded-text.ts'
import { hiddenBy } from './hidden-words.ts'

const words: Record<string, string> = {
  ...{
    az: 'ığid şəhər Gəncə',
    bg: 'щъркел',
    ca: 'col·legi cançó',
    cs: 'příšerně žluťoučký',
    cy: 'tŷ',
    da: 'smørrebrød',
  },
  ...{
    de: 'Straße weiß Fußgänger',
    el: 'οδός ΐδιος άυλος θαΰμα Ήλιος ή',
    en: 'naïve café',
    eo: 'ĉiuĵaŭde',
    es: 'niñez',
  },
  ...{
    et: 'jäääär',
    fi: 'hääyöaie',
    fr: 'cœur où élève',
    ga: 'Éireannach',
    hr: 'đak ljubav',
    hu: 'árvíztűrő',
    hy: 'և բարև',
  },
  ...{
    is: 'þjóð æði',
    it: 'perché',
    ka: 'მშვიდობა',
    kk: 'қазақ',
    lt: 'į̇̀ dėkui jį',
    lv: 'šķūņu',
    mt: 'ħobża',
    nl: 'ijsje',
  },
  ...{ no: 'ærlig', pl: 'Łódź zażółć', pt: 'coração', ro: 'știință', ru: 'съёмка', sq: 'ëndërr', sv: 'ångström' },
  ...{
    tr: 'ışık istanbul ğöç',
    uk: 'їжак ґанок',
    vi: 'đường phố',
    yo: 'ọ̀rọ̀',
    sr: 'ђак',
    ha: 'ɓauna ƙasa',
    ee: 'ŋdɔgbe',
  },
}
const languages = Object.entries(words)

describe('folding', () => {
  it.each(languages)('In %s, %s equals its capitals', (language, word) => {
    const capitals = word.toLocaleUpperCase(language)
    expect(foldedText(capitals)).toBe(foldedText(word))
    expect(foldedText(capitals.toLocaleLowerCase(language))).toBe(foldedText(word))
    expect(hiddenBy([capitals])(`« ${word} »`)).toBe(true)
  })

  it('Every Unicode character folds like its upper and lower case, composed or not, and idempotently', () => {
    const others: string[] = []
    for (let code = 0; code < 0x11_0000; code++) {
      const character = String.fromCodePoint(code)
      if (!/\p{Cased}|\p{Changes_When_NFKC_Casefolded}/u.test(character)) continue
      const folded = foldedText(character)
      const forms = [
        ...[character.toUpperCase(), character.toLowerCase(), character.normalize('NFD'), character.normalize('NFC')],
        folded,
      ]
      if (forms.some((form) => foldedText(form) !== folded)) others.push(`${code.toString(16)} ${character}`)
    }
    expect(others).toEqual([])
  })

  it.each([
    ['ΟΔΟΣ ΑΘΗΝΑΣ', 'οδός αθηνάς'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['Đà Nẵng', 'da nang'],
    ['ışık', 'isik'],
    ['GROẞE STRASSE', 'große straße'],
    ['ﬁnal ofﬁce', 'final office'],
    ['ＨＥＬＬＯ', 'hello'],
    ['ｶﾞｰﾙ', 'ガール'],
    ['أحمد إلى مؤمن شيء', 'احمد الى مومن شيء'],
    ['مُحَمَّدٌ', 'محمد'],
    ['كـــيف', 'كيف'],
    ['یک', 'يك'],
    ['١٢٣ ۱۲۳', '123 123'],
    ['שָׁלוֹם', 'שלום'],
    ['❤️', '❤'],
    ['don’t', "don't"],
    ['co\u00adop', 'coop'],
  ])('%s is the same as %s', (one, other) => {
    expect(foldedText(one)).toBe(foldedText(other))
  })

  it.each([
    ['ดี', 'ดู'],
    ['दिन', 'दान'],
    ['はは', 'ばば'],
    ['한', '하'],
    ['日', '曰'],
  ])('%s and %s stay different words, and neither is found in the other', (one, other) => {
    expect(foldedText(one)).not.toContain(foldedText(other))
    expect(foldedText(other)).not.toContain(foldedText(one))
  })
})

describe('foldedText, given text that is made to be slow', () => {
  it.each([
    ['accents', '\u0323\u0301'],
    ['Thai marks', '\u0e38\u0e48'],
    ['signs for a sentence', 'ﷺ'],
    ['signs for a sentence with accents', 'ﷺ\u0323\u0301'],
  ])('returns at most three times the length for endless %s', (_name, part) => {
    const text = part.repeat(1_000)
    expect(foldedText(text).length).toBeLessThanOrEqual(3 * text.length + 200)
    expect(foldedText(`Zürich ${text}`).startsWith('zurich')).toBe(true)
  })

  it('keeps no more combining marks on a letter than any script uses', () => {
    expect(foldedText(`\u0e01${'\u0e38\u0e48'.repeat(1_000)}`).length).toBe(17)
    expect(foldedText('ﷺ')).toHaveLength(18)
  })
})
