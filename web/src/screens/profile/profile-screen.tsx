import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { preloadTexts } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { OtherProfile } from './other-profile.tsx'
import { OwnProfile } from './own-profile.tsx'

// Starts loading these texts while the screen's code loads.
void preloadTexts('likes', 'catalogue').catch(() => undefined)

export default function ProfileScreen() {
  const { t } = useTranslation('profiles')
  const { id = '' } = useParams()
  const own = useSession((state) => state.user?.id === id)
  return (
    <>
      <PageTitle>{t(own ? 'title' : 'somebody')}</PageTitle>
      {own ? <OwnProfile /> : <OtherProfile key={id} id={id} />}
    </>
  )
}
