import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOwnFace } from '../../features/accounts/accounts.ts'
import { Link } from '../../platform/address/address.tsx'
import { useSession } from '../../platform/session.ts'
import { Card } from '../../ui/card.tsx'
import { Face } from '../../ui/photo/face.tsx'

export function You() {
  const { t } = useTranslation('own-settings')
  const id = useSession((state) => state.user?.id)
  return (
    <Link
      to={`/profile/${id}`}
      className="flex items-center gap-4 rounded-l bg-surface px-5 py-4 shadow-one transition hover:bg-sunken"
    >
      <WhoYouAre />
      <span className="sr-only">{t('edit')}</span>
      <ChevronRight aria-hidden="true" className="mirror size-5! text-ink-3" />
    </Link>
  )
}

export function YouCard() {
  return (
    <Card id="you" className="flex items-center gap-4">
      <WhoYouAre />
    </Card>
  )
}

function WhoYouAre() {
  const user = useSession((state) => state.user)
  const photo = useOwnFace()
  if (!user) return null
  return (
    <>
      <Face name={user.name} photo={photo} size={52} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="display block truncate text-l rtl:text-right">
          {user.name}
        </span>
        <span dir="ltr" className="block truncate text-s text-ink-2 rtl:text-end">
          {user.email}
        </span>
      </span>
    </>
  )
}
