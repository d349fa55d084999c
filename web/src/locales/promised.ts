import { promised } from '@duet/contract/promised.ts'
import { useTranslation } from 'react-i18next'

type Name = keyof typeof promised

function written(name: string, value: number, language: string): string {
  const [, unit] = /(Day|Hour|Minute|Month)s$/.exec(name) ?? []
  const style = unit ? { style: 'unit', unit: unit.toLowerCase(), unitDisplay: 'long' } : {}
  return new Intl.NumberFormat(language, style as Intl.NumberFormatOptions).format(value)
}

/** Duet's promised numbers, formatted in `language` ("14 days"), to fill into texts by name. */
export const promisedIn = (language: string) =>
  Object.fromEntries(Object.entries(promised).map(([name, value]) => [name, written(name, value, language)])) as Record<
    Name,
    string
  >

export const usePromised = (): Record<Name, string> => promisedIn(useTranslation().i18n.language)
