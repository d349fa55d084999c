import { limits } from '@duet/contract/limits.ts'
import type { MyDetails, Profile } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { useOwnDetails } from '../../accounts/accounts.ts'
import { PlaceDialog } from '../../places/places.tsx'
import { useUpdateUser } from '../../profiles/profiles.ts'
import { TodayLine } from '../deck/today-line.tsx'
import { isLikeLimitReached } from '../deck/use-deck-acts.ts'
import { useDeckInMemory } from '../discovery.api.ts'
import { PreferencesSheet } from '../filters/preferences-sheet.tsx'

type Reason = 'noPlace' | 'paused' | 'outside' | 'closed'

/** Other people's filters are private, so the reason given may be less specific than the real one. */
function reasonAgainst(mine: MyDetails | undefined, theirs: Profile): Reason {
  if (!mine) return 'closed'
  if (mine.area === null) return 'noPlace'
  if (mine.paused) return 'paused'
  const { ageMin, ageMax, maxDistanceKm, interestedIn } = mine
  const isFar = maxDistanceKm !== null && theirs.distanceKm !== null && theirs.distanceKm > maxDistanceKm
  const isOtherAge = theirs.age < ageMin || (theirs.age > ageMax && ageMax < limits.ageFilterMax)
  const isOtherGender = interestedIn.length > 0 && theirs.gender !== null && !interestedIn.includes(theirs.gender)
  return isFar || isOtherAge || isOtherGender ? 'outside' : 'closed'
}

/** `id` is for the `aria-describedby` of the buttons. */
export function WhyNot({ id, user }: { id: string; user: Profile }) {
  const { t } = useTranslation('discovery')
  const { data: details } = useOwnDetails()
  const deck = useDeckInMemory()
  if (user.canLike && deck && isLikeLimitReached(deck)) return <TodayLine id={id} today={deck.today} reached />
  const reason = reasonAgainst(details, user)
  return (
    <div className="grid justify-items-center gap-1 text-center">
      <p id={id} className="text-s text-balance wrap-anywhere text-ink-2">
        {t(`bar.${reason}`, { name: user.name })}
      </p>
      {details && <Mend reason={reason} details={details} />}
    </div>
  )
}

function Mend({ reason, details }: { reason: Reason; details: MyDetails }) {
  const { t } = useTranslation('discovery')
  const [open, setOpen] = useState(false)
  const update = useUpdateUser()
  const unpause = () => update.mutate({ paused: false })
  const words = { noPlace: 'choosePlace', paused: 'empty.unpause', outside: 'changeFilters', closed: 'changeFilters' }
  return (
    <>
      <Button
        variant="text"
        busy={update.isPending}
        onClick={reason === 'paused' ? unpause : () => setOpen(true)}
        {...(reason !== 'paused' && { 'aria-haspopup': 'dialog' })}
      >
        {t(words[reason])}
      </Button>
      {update.isError && (
        <p role="alert" className="text-s font-medium text-bad">
          {t('sheet.failed')}
        </p>
      )}
      {reason === 'noPlace' && <PlaceDialog open={open} onOpenChange={setOpen} area={null} />}
      {(reason === 'outside' || reason === 'closed') && (
        <PreferencesSheet open={open} onOpenChange={setOpen} details={details} />
      )}
    </>
  )
}
