import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { Page, PublicPage } from '../../ui/page.tsx'

const parts = [
  'who',
  'behave',
  'photos',
  'messages',
  'see',
  'place',
  'keep',
  'push',
  'share',
  'leave',
  'promise',
] as const
const pages = { safety: '/safety', seen: '/safety/what-we-see' }

export default function TermsScreen() {
  const { t } = useTranslation('terms')
  return (
    <PublicPage>
      <Page title={t('title')} lead={t('lead')}>
        {parts.map((part) => (
          <section key={part}>
            <h2 className="display text-xl">{t(`${part}.title`)}</h2>
            <p className="mt-2 text-ink-2 text-pretty">{t(`${part}.text`)}</p>
          </section>
        ))}
        <p className="flex flex-wrap gap-x-6">
          {(['safety', 'seen'] as const).map((page) => (
            <Link
              key={page}
              to={pages[page]}
              className="inline-flex min-h-11 items-center text-accent underline-offset-4 hover:underline"
            >
              {t(`more.${page}`)}
            </Link>
          ))}
        </p>
      </Page>
    </PublicPage>
  )
}
