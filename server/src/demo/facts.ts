import { childrenWishes, diets, frequencies, languages } from '@duet/contract/limits.ts'
import type { Facts } from '@duet/contract/profiles.ts'
import { importances, questionCatalogue } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'

type Chance = (text: string) => number

const pick = <T>(list: readonly T[], chance: number): T => list[Math.floor(chance * list.length)] as T
const told = <T>(value: T, chance: number): T | null => (chance < 0.8 ? value : null)

export function factsOf(of: Chance, gender: string): Omit<Facts, 'faith'> {
  const tallness = { woman: 158, man: 171, nonbinary: 164 }[gender] ?? 164
  const second = pick(languages, of('second language'))
  return {
    heightCm: told(tallness + Math.floor(of('height') * 20), of('tells height')),
    children: told(pick(childrenWishes, of('children')), of('tells children')),
    smoking: told(pick([...frequencies, 'never', 'never'] as const, of('smoking')), of('tells smoking')),
    drinking: told(pick([...frequencies, 'sometimes'] as const, of('drinking')), of('tells drinking')),
    diet: told(pick([...diets.slice(0, 4), 'everything', 'everything'] as const, of('diet')), of('tells diet')),
    languages: [...new Set(['en' as const, second])],
  }
}

export function answersBy(of: Chance): QuestionAnswer[] {
  return questionCatalogue.flatMap(({ id, choices }): QuestionAnswer[] => {
    if (of(`answers ${id}`) > 0.5) return []
    const place = Math.floor(of(`chooses ${id}`) * choices.length)
    const near = choices.filter((_, other) => Math.abs(other - place) <= 1)
    const accepts = of(`is strict ${id}`) < 0.3 ? [choices[place] as string] : [...near]
    return [
      { question: id, choice: choices[place] as string, accepts, importance: pick(importances, of(`minds ${id}`)) },
    ]
  })
}
