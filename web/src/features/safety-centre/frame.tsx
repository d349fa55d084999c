import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { chooseLanguage, languageNames, languages } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { Wordmark } from '../../ui/wordmark.tsx'

/** Around a page that anybody may read; it begins at its top, or at the part that the address names. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const isSignedIn = useSession((state) => state.user !== null)
  // What the address points at was not there yet when the browser looked for it.
  useEffect(() => {
    const wanted = document.getElementById(window.location.hash.slice(1))
    if (wanted) wanted.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [])
  return (
    <>
      <header className="flex h-(--bar) items-center px-4 sm:px-8">
        <Link to={isSignedIn ? '/home' : '/login'} aria-label="Duet" className="grid h-11 place-items-center">
          <Wordmark />
        </Link>
      </header>
      <main>{children}</main>
      <Foot />
    </>
  )
}

function Foot() {
  const { t, i18n } = useTranslation('safety-centre')
  return (
    <footer className="mx-auto flex w-full max-w-260 flex-wrap items-center gap-x-5 gap-y-1 px-4 pt-4 pb-8 text-s text-ink-2 sm:px-8 print:hidden">
      <Link to="/terms" className="grid h-11 place-items-center hover:text-ink hover:underline">
        {t('toTerms')}
      </Link>
      <span className="-ms-2 flex">
        {languages.map((language) => (
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
