import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { LanguageButtons } from '../../ui/form/language-buttons.tsx'
import { PublicPage } from '../../ui/page.tsx'

/** The layout of a public page. On mount, scrolls to the top, or to the element named in the URL fragment. */
export function PublicFrame({ children }: { children: ReactNode }) {
  // The browser's own scrolling came too early, before the element was rendered.
  useEffect(() => {
    const wanted = document.getElementById(window.location.hash.slice(1))
    if (wanted) wanted.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [])
  return (
    <PublicPage>
      {children}
      <Foot />
    </PublicPage>
  )
}

function Foot() {
  const { t } = useTranslation('safety-centre')
  return (
    <footer className="mx-auto flex w-full max-w-260 flex-wrap items-center gap-x-5 gap-y-1 px-4 pt-4 pb-8 text-s text-ink-2 sm:px-8 print:hidden">
      <Link to="/terms" className="grid h-11 place-items-center hover:text-ink hover:underline">
        {t('toTerms')}
      </Link>
      <LanguageButtons />
    </footer>
  )
}
