import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { deviceTexts } from './storage.ts'

export const languages = ['en', 'es', 'ar'] as const
export type Language = (typeof languages)[number]
/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', es: 'Español', ar: 'العربية' }

const languageKey = 'language'
// A language is one file with what every screen says; it knows how to load the rest, a namespace at a time.
const loaders = {
  en: () => import('../locales/en.ts'),
  es: () => import('../locales/es.ts'),
  ar: () => import('../locales/ar.ts'),
}

const isLanguage = (value: string | undefined | null): value is Language =>
  languages.some((language) => language === value)

/** The stored choice, else the first language of the browser that we speak, else English. */
export function detectLanguage(
  stored: string | null = deviceTexts.read(languageKey),
  preferred: readonly string[] = navigator.languages ?? [],
): Language {
  if (isLanguage(stored)) return stored
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

async function readTexts(language: string, namespace: string): Promise<object> {
  if (!isLanguage(language)) throw new Error(`There is no language ${language}.`)
  const { shared, others } = await loaders[language]()
  const file = `./${language}/${namespace}.json`
  const texts = shared[file] ?? (await others[file]?.())
  if (!texts) throw new Error(`There is no text for ${language}/${namespace}.`)
  return texts
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    readTexts(language, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

function dress(language: string): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

/** Starts the texts in the right language; only that one is loaded, a namespace at a time. */
export async function startI18n(language: Language = detectLanguage()): Promise<void> {
  i18next.on('languageChanged', dress)
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: [...languages],
      fallbackLng: false,
      ns: ['common', 'ui'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      ...(import.meta.env.MODE === 'test' && { saveMissing: true, missingKeyHandler: refuseMissingKey }),
    })
}

function refuseMissingKey(lngs: readonly string[], namespace: string, key: string): never {
  throw new Error(`Missing text ${namespace}:${key} in ${lngs.join(', ')}.`)
}

/** Switches the language and remembers the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  deviceTexts.write(languageKey, language)
  await i18next.changeLanguage(language)
}

/** Begins to load the texts of a screen beside its code. */
export function preloadTexts(...namespaces: string[]): Promise<void> {
  return i18next.loadNamespaces(namespaces)
}
