import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { useSession } from '../../platform/session.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { LoginForm } from './login-form.tsx'

const link = 'font-[620] text-accent underline-offset-4 hover:underline'

/** /login */
export default function LoginScreen() {
  const { t } = useTranslation('entry')
  const user = useSession((state) => state.user)
  return (
    <EntryFrame>
      <PageTitle>{t('login.signIn')}</PageTitle>
      <h1 className="display text-[38px]">{t('login.title')}</h1>
      <p className="mt-3 text-ink-2">
        {t('login.newHere')}{' '}
        <Link to="/signup" className={link}>
          {t('login.signUp')}
        </Link>
      </p>
      {user && (
        <p className="mt-5 rounded-m bg-sunken px-4 py-3 text-s">
          {t('login.already', { name: user.name || user.email })}{' '}
          <Link to="/home" className={link}>
            {t('login.goOn')}
          </Link>
        </p>
      )}
      <LoginForm />
    </EntryFrame>
  )
}
