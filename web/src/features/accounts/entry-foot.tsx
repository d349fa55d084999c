import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { isDemo } from '../../platform/demo.ts'
import { LanguageButtons } from '../../ui/form/language-buttons.tsx'

const item = 'grid h-11 place-items-center hover:text-ink hover:underline'

export function EntryFoot() {
  const { t } = useTranslation(['entry', 'welcome'])
  return (
    <footer className="mx-auto flex w-full max-w-280 flex-wrap items-center gap-x-6 gap-y-1 px-5 pt-4 pb-6 text-s text-ink-2 sm:px-12">
      <Link to="/terms" className={item}>
        {t('entry.terms')}
      </Link>
      <Link to="/safety" className={item}>
        {t('entry.safety')}
      </Link>
      <Link to="/how-matching-works" className={item}>
        {t('welcome:how')}
      </Link>
      {isDemo() && (
        <a href="/dev/mail" className="flex h-11 items-center gap-1.5 text-accent hover:underline">
          {t('entry.demoMail')}
        </a>
      )}
      <LanguageButtons className="basis-full sm:ms-auto sm:basis-auto" />
    </footer>
  )
}
