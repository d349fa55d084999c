import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../../ui/button.tsx'
import { Wordmark } from '../../../ui/wordmark.tsx'

export function Hero() {
  const { t } = useTranslation(['entry', 'welcome'])
  return (
    <section
      aria-label="Duet"
      className="relative overflow-hidden bg-sunken px-5 pt-6 pb-9 sm:px-12 sm:pb-12 lg:flex lg:flex-col lg:pt-12"
    >
      <Wordmark className="relative self-start text-ink" />
      <Rings />
      <h1 className="display relative mt-27 max-w-130 text-[42px] text-balance sm:mt-36 sm:text-[56px] lg:mt-auto">
        {t('entry.promise')}
      </h1>
      <p className="relative mt-3 max-w-110 text-ink-2 text-pretty sm:mt-5 sm:text-l">{t('entry.promiseText')}</p>
      <div className="relative mt-6 flex flex-wrap items-center gap-x-3 gap-y-1 sm:mt-8">
        <LinkButton to="/signup" size="l" className="w-full sm:w-auto">
          {t('login.signUp')}
        </LinkButton>
        <a
          href="#about"
          className="hidden h-11 items-center rounded-full px-5 text-[15px] font-[620] text-accent hover:bg-accent-soft sm:inline-flex"
        >
          {t('welcome:more')}
        </a>
      </div>
    </section>
  )
}

function Rings() {
  return (
    <svg
      viewBox="0 0 600 440"
      aria-hidden="true"
      className="absolute -end-22 -top-16 w-84 text-accent sm:-end-20 sm:-top-24 sm:w-130 lg:-end-[10%] lg:-top-16 lg:w-[92%]"
    >
      <circle cx="230" cy="210" r="150" fill="none" stroke="currentColor" strokeWidth="9" />
      <circle cx="390" cy="210" r="150" fill="currentColor" fillOpacity=".12" stroke="currentColor" strokeWidth="9" />
    </svg>
  )
}
