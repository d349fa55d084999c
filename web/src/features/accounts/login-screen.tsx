import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { useSession } from '../../platform/session.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { destination } from './entry/destination.ts'
import { EntryFoot } from './entry-foot.tsx'
import { LoginForm } from './login-form.tsx'
import { Hero } from './welcome/hero.tsx'

const About = lazily(() => import('./welcome/about.tsx'))

const link = 'font-[620] text-accent underline-offset-4 hover:underline'

export default function LoginScreen() {
  const { t } = useTranslation(['entry', 'welcome'])
  const user = useSession((state) => state.user)
  return (
    <>
      <PageTitle>{t('login.signIn')}</PageTitle>
      <main>
        <div className="grid lg:min-h-[calc(100dvh-72px)] lg:grid-cols-[minmax(0,1fr)_minmax(0,600px)]">
          <Hero />
          <section className="flex flex-col justify-center px-5 py-9 sm:px-12 lg:py-12">
            <div className="w-full max-w-105 lg:mx-auto">
              <h2 className="display text-2xl">{t('welcome:signInTitle')}</h2>
              {user && (
                <p className="mt-5 rounded-m bg-sunken px-4 py-3 text-s">
                  {t('login.already', { name: user.name || user.email })}{' '}
                  <Link to={destination()} className={link}>
                    {t('login.goOn')}
                  </Link>
                </p>
              )}
              <LoginForm />
            </div>
          </section>
        </div>
        <Extra fallback={<div className="min-h-[200dvh]" />}>
          <About />
        </Extra>
      </main>
      <EntryFoot />
    </>
  )
}
