import { interestIds } from '@duet/contract/catalogue.ts'
import { childrenWishes, frequencies, intents, languages } from '@duet/contract/limits.ts'
import { by } from '@duet/contract/order.ts'
import type { Reason } from '@duet/contract/profiles.ts'
import { agreementOf } from './agreement.ts'
import { matchingConstants as constants } from './constants.ts'
import type { SlotKind } from './deck.ts'
import type { RankingModel } from './model.ts'
import { fillRow, productFeatures } from './pair.ts'
import { childrenOf, drinkingOf, intentsOf, type Stated, smokingOf } from './traits.ts'

export interface Circumstances {
  /** ln(1 / share of people) for each interest and each language, in catalogue order. */
  rarity: ArrayLike<number>
  languageRarity: ArrayLike<number>
  distanceKm: number | null
  active: boolean
  isNew: boolean
  slotKind: SlotKind
  /** Reasons that must not be shown. Others replace them, so that no gap reveals them. */
  withheld?: ReadonlySet<Reason['kind']>
}

interface Weighed {
  reason: Reason
  contribution: number
  rarity: number
}

type Feature = (typeof productFeatures)[number]
type Contributions = (feature: string) => number

const place = (name: string) => productFeatures.indexOf(name as Feature)

function contributionsOf(model: RankingModel, viewer: Stated, other: Stated, { distanceKm, rarity }: Circumstances) {
  const row = new Float64Array(productFeatures.length)
  fillRow(row, viewer, other, distanceKm, rarity)
  const far = new Float64Array(productFeatures.length)
  fillRow(far, viewer, other, null, rarity)
  const contributions: Contributions = (name) => model.weights[place(name)]! * row[place(name)]!
  const nearness = model.weights[place('distance.log')]! * (row[place('distance.log')]! - far[place('distance.log')]!)
  return { contributions, nearness }
}

/** The index of the rarest interest or language whose bit is set in `masks`. */
function rarest(masks: readonly number[], rarity: ArrayLike<number>): number | undefined {
  let best: number | undefined
  for (const [half, mask] of masks.entries())
    for (let bit = 0; bit < 31; bit++) {
      const place = half * 30 + bit
      if ((mask >>> bit) & 1 && (best === undefined || (rarity[place] ?? 0) > (rarity[best] ?? 0))) best = place
    }
  return best
}

function interestReason(viewer: Stated, other: Stated, { rarity }: Circumstances, contribution: number): Weighed[] {
  const [low, high] = viewer.interests
  const shared = rarest([low & other.interests[0], high & other.interests[1]], rarity)
  const interest = shared === undefined ? undefined : interestIds[shared]
  if (shared === undefined || !interest) return []
  return [{ reason: { kind: 'interest', params: { interest } }, contribution, rarity: rarity[shared] ?? 0 }]
}

/** Gives a reason only for a rare language, because a common one means little. */
function languageReason(viewer: Stated, other: Stated, { languageRarity }: Circumstances, weight: number): Weighed[] {
  const shared = rarest([viewer.languages & other.languages], languageRarity)
  const language = shared === undefined ? undefined : languages[shared]
  const rarity = shared === undefined ? 0 : (languageRarity[shared] ?? 0)
  if (!language || rarity < constants.rareLanguage) return []
  return [{ reason: { kind: 'language', params: { language } }, contribution: weight, rarity }]
}

function questionsReason(viewer: Stated, other: Stated, contribution: number): Weighed[] {
  if (!viewer.sheet || !other.sheet) return []
  const { agreed, asked } = agreementOf(viewer.sheet, other.sheet)
  if (asked < constants.questionsLeast || agreed < constants.questionsAgreed * asked) return []
  const params = { agreed: String(agreed), asked: String(asked) }
  return [{ reason: { kind: 'questions', params }, contribution, rarity: asked }]
}

const rareFact = 0.5

function factReasons({ traits: mine }: Stated, { traits: theirs }: Stated, contributions: Contributions): Weighed[] {
  const intent = intents[31 - Math.clz32(intentsOf(mine) & intentsOf(theirs) & -(intentsOf(mine) & intentsOf(theirs)))]
  const facts = [
    { kind: 'children', mine: childrenOf(mine), theirs: childrenOf(theirs), names: childrenWishes },
    { kind: 'smoking', mine: smokingOf(mine), theirs: smokingOf(theirs), names: frequencies },
    { kind: 'drinking', mine: drinkingOf(mine), theirs: drinkingOf(theirs), names: frequencies },
  ] as const
  const same = facts.flatMap((fact): Weighed[] => {
    const name = fact.mine === fact.theirs ? fact.names[fact.mine] : undefined
    const contribution = contributions(`facts.${fact.kind}`)
    return name ? [{ reason: { kind: fact.kind, params: { [fact.kind]: name } }, contribution, rarity: rareFact }] : []
  })
  if (!intent) return same
  const contribution = contributions('intents.overlap')
  return [{ reason: { kind: 'intent', params: { intent } }, contribution, rarity: rareFact }, ...same]
}

function presenceReasons({ active, isNew, distanceKm }: Circumstances, nearness: number): Weighed[] {
  const near = distanceKm !== null && distanceKm <= constants.nearKm
  const km = String(distanceKm)
  return [
    ...(near ? [{ reason: { kind: 'near', params: { km } } as const, contribution: nearness, rarity: 0 }] : []),
    ...(active
      ? [
          {
            reason: { kind: 'active_today', params: {} } as const,
            contribution: constants.activeTodayWeight,
            rarity: 0,
          },
        ]
      : []),
    ...(isNew
      ? [{ reason: { kind: 'new_here', params: {} } as const, contribution: constants.newHereWeight, rarity: 0 }]
      : []),
  ]
}

/**
 * Why `other` is shown to `viewer`: the facts visible to both that add most to the score; the rarer first if equal. How
 * often someone likes others or is liked, diet and faith are never reasons.
 */
export function reasonsFor(model: RankingModel, viewer: Stated, other: Stated, circumstances: Circumstances): Reason[] {
  const { contributions, nearness } = contributionsOf(model, viewer, other, circumstances)
  const weighed = [
    ...interestReason(viewer, other, circumstances, contributions('interests.shared')),
    ...factReasons(viewer, other, contributions),
    ...questionsReason(viewer, other, contributions('questions.agreement')),
    ...languageReason(viewer, other, circumstances, contributions('languages.shared')),
    ...presenceReasons(circumstances, nearness),
  ]
  const reasons = weighed
    .filter(({ contribution, reason }) => contribution > 0 && !circumstances.withheld?.has(reason.kind))
    .sort(
      by(
        ({ contribution }) => -contribution,
        ({ rarity }) => -rarity,
      ),
    )
    .map(({ reason }) => reason)
  const explored: Reason[] = circumstances.slotKind === 'explore' ? [{ kind: 'outside_your_usual', params: {} }] : []
  return [...explored, ...reasons].slice(0, constants.reasonsMost)
}
