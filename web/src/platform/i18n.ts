import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { NotLoaded } from './not-loaded.ts'
import { deviceTexts } from './storage.ts'
import { toast } from './toast.ts'

export const languages = ['en', 'es', 'ar'] as const
export type Language = (typeof languages)[number]
export const languageNames: Record<Language, string> = { en: 'English', es: 'Español', ar: 'العربية' }

const languageKey = 'language'
// Each language file contains the texts that all screens need, and loads the other namespaces on demand.
const loaders = {
  en: () => import('../locales/en.ts'),
  es: () => import('../locales/es.ts'),
  ar: () => import('../locales/ar.ts'),
}

const isLanguage = (value: string | undefined | null): value is Language =>
  languages.some((language) => language === value)

export function detectLanguage(
  stored: string | null = deviceTexts.read(languageKey),
  preferred: readonly string[] = navigator.languages ?? [],
): Language {
  if (isLanguage(stored)) return stored
  return preferred.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

async function readTexts(language: string, namespace: string): Promise<object> {
  if (!isLanguage(language)) throw new Error(`Duet has no language ${language}.`)
  const { shared, others } = await loaders[language]()
  const file = `./${language}/${namespace}.json`
  const texts = shared[file] ?? (await others[file]?.())
  if (!texts) throw new Error(`There are no texts for ${language}/${namespace}.`)
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
      parseMissingKeyHandler: refuseLost,
      ...(import.meta.env.MODE === 'test' && { saveMissing: true, missingKeyHandler: refuseMissingKey }),
    })
  requireTexts(['common', 'ui'])
}

// i18next never retries a file that failed to load, so this failure is cleared once an error has been shown.
const states = () => i18next.services.backendConnector.state as Record<string, number>
const isLost = (name: string) => (states()[name] ?? 0) < 0

function forgetLost(): void {
  for (const name of Object.keys(states())) if (isLost(name)) delete states()[name]
}

/** Throws if a file of texts failed to load, so that no untranslated keys are shown. */
function refuseLost(key: string, otherwise?: string): string {
  if (Object.keys(states()).some(isLost)) throw new NotLoaded(forgetLost)
  return otherwise ?? key
}

function requireTexts(namespaces: readonly string[], language = i18next.language): void {
  if (!namespaces.every((namespace) => i18next.hasResourceBundle(language, namespace))) throw new NotLoaded(forgetLost)
}

function refuseMissingKey(lngs: readonly string[], namespace: string, key: string): never {
  throw new Error(`Missing text ${namespace}:${key} in ${lngs.join(', ')}.`)
}

/**
 * Switches the language and stores the choice. If the texts fail to load, shows a toast and keeps the current language.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  await i18next.loadLanguages(language)
  try {
    requireTexts(['common', 'ui'], language)
  } catch {
    forgetLost()
    return toast.error(i18next.t('ui:error.general'))
  }
  deviceTexts.write(languageKey, language)
  await i18next.changeLanguage(language)
}

export async function preloadTexts(...namespaces: string[]): Promise<void> {
  await i18next.loadNamespaces(namespaces)
  try {
    requireTexts(namespaces)
  } catch (error) {
    // A failed preload shows no error, so the failure is cleared here. The screen will request its texts again.
    forgetLost()
    throw error
  }
}
