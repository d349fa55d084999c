import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { isDemo } from '../../platform/demo.ts'
import { chooseLanguage, type Language, languageNames, languages } from '../../platform/i18n.ts'
import { Wordmark } from '../../ui/wordmark.tsx'

/** The page of a visitor: what Duet is on one side, what they came to do on the other. */
export function EntryFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('entry')
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,640px)]">
      <aside aria-label="Duet" className="relative hidden overflow-hidden bg-sunken p-12 lg:flex lg:flex-col">
        <Wordmark className="relative text-ink" />
        <Rings />
        <p className="display relative mt-auto max-w-130 text-[56px]">{t('entry.promise')}</p>
        <p className="relative mt-5 max-w-110 text-l text-ink-2">{t('entry.promiseText')}</p>
      </aside>
      <div className="flex flex-col px-5 sm:px-12">
        <header className="flex h-18 items-center lg:hidden">
          <Wordmark />
        </header>
        <main className="mx-auto flex w-full max-w-105 flex-1 flex-col justify-center py-8">{children}</main>
        <EntryFoot />
      </div>
    </div>
  )
}

function Rings() {
  return (
    <svg viewBox="0 0 600 440" aria-hidden="true" className="absolute -end-24 top-20 w-[110%] text-accent">
      <circle cx="230" cy="210" r="150" fill="none" stroke="currentColor" strokeWidth="9" />
      <circle cx="390" cy="210" r="150" fill="currentColor" fillOpacity=".12" stroke="currentColor" strokeWidth="9" />
    </svg>
  )
}

function EntryFoot() {
  const { t, i18n } = useTranslation('entry')
  return (
    <footer className="mx-auto flex w-full max-w-105 flex-wrap items-center gap-x-5 gap-y-1 pt-4 pb-6 text-s text-ink-2">
      <Link to="/terms" className="grid h-11 place-items-center hover:text-ink hover:underline">
        {t('entry.terms')}
      </Link>
      <Link to="/safety" className="grid h-11 place-items-center hover:text-ink hover:underline">
        {t('entry.safety')}
      </Link>
      {isDemo() && (
        <a href="/dev/mail" className="flex h-11 items-center gap-1.5 text-accent hover:underline">
          {t('entry.demoMail')}
        </a>
      )}
      <span className="-ms-2 flex basis-full">
        {languages.map((language: Language) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={i18n.language === language}
            onClick={() => void chooseLanguage(language)}
            className="h-11 min-w-11 rounded-s px-2 hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink"
          >
            {languageNames[language]}
          </button>
        ))}
      </span>
    </footer>
  )
}
