import { foldedText } from '@duet/contract/folded-text.ts'
import { hiddenBy } from '@duet/contract/hidden-words.ts'
import { PrivacyChanges } from '@duet/contract/privacy.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../tools/tier.ts'

const signs = fc.constantFrom(...'-－﹣‐–_.*+?^{}$()|[]\\/&~!@#%,:;<>="\'`´ aéمあ1')

it('Every word that the API accepts hides a text that contains it', { tags: 'more-in-long' }, () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(signs, fc.string({ unit: 'grapheme', maxLength: 1 })) }), (typed) => {
      const accepted = PrivacyChanges.safeParse({ hiddenWords: [typed] })
      const [word = ''] = accepted.data?.hiddenWords ?? []
      fc.pre(foldedText(word).trim() !== '')
      const isHidden = hiddenBy(['unrelated', word])
      expect(isHidden(`before ${word} after`)).toBe(true)
    }),
    { numRuns: rounds(200, 2_000) },
  )
})
