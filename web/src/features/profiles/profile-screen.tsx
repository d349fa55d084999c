import { useParams } from 'wouter'
import { useSession } from '../../platform/session.ts'
import { OtherProfile } from './other-profile.tsx'
import { OwnProfile } from './own-profile.tsx'

/** /profile/{id}: somebody's page, or the own one to edit. */
export default function ProfileScreen() {
  const { id = '' } = useParams()
  const own = useSession((state) => state.user?.id === id)
  return own ? <OwnProfile /> : <OtherProfile key={id} id={id} />
}
