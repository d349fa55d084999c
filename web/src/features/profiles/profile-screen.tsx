import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { useSession } from '../../platform/session.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { OtherProfile } from './other-profile.tsx'
import { OwnProfile } from './own-profile.tsx'

/** /profile/{id}: somebody's page, or the own one to edit. */
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
