import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { startI18n } from '../../platform/i18n.ts'
import { findSettings, namesOfSettings } from './find-settings.ts'
import { addressOfHash, settings } from './sections.ts'

beforeAll(async () => {
  if (!i18next.isInitialized) await startI18n('en')
})

async function found(language: string, query: string): Promise<string[]> {
  await i18next.changeLanguage(language)
  await i18next.loadNamespaces(namesOfSettings)
  return findSettings(query, i18next.t).map(({ id }) => id)
}

test('a search finds settings by name, by description and by synonym', async () => {
  expect(await found('en', 'Incognito')).toEqual(['incognito'])
  expect(await found('en', 'dark mode')).toEqual(['theme'])
  expect(await found('en', 'log out')).toEqual(['devices', 'sign-out'])
  expect((await found('en', 'delete'))[0]).toBe('delete')
  expect(await found('en', 'nothing like it')).toEqual([])
  expect(await found('en', '  ')).toEqual([])
})

test('searching for the name of a section finds all its settings', async () => {
  const ofPrivacy = settings.filter(({ section }) => section === 'privacy').map(({ id }) => id)
  expect((await found('en', 'privacy')).slice(0, ofPrivacy.length).toSorted()).toEqual(ofPrivacy.toSorted())
})

test('a search works in every language, with or without accents', async () => {
  expect(await found('es', 'incognito')).toEqual(['incognito'])
  expect(await found('es', 'modo oscuro')).toEqual(['theme'])
  expect((await found('ar', 'اللغة'))[0]).toBe('language')
})

test('every setting has a name in every language and a unique id', async () => {
  for (const language of ['en', 'es', 'ar']) {
    await found(language, 'a')
    for (const { label, words } of settings) for (const key of [label, ...words]) expect(i18next.t(key)).toBeTruthy()
  }
  expect(new Set(settings.map(({ id }) => id)).size).toBe(settings.length)
})

test('the hash of an old settings address names a section or a setting, and any other hash leads nowhere', () => {
  expect(addressOfHash('#privacy')).toBe('/settings/privacy')
  expect(addressOfHash('#theme')).toBe('/settings/appearance#theme')
  expect(addressOfHash('#%zz')).toBeUndefined()
  expect(addressOfHash('')).toBeUndefined()
})
