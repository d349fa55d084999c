import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

// The card has a ratio of 3:4 and is at most 440 px wide. In low windows it is smaller and square; on phones it fills
// the remaining space.
export const deckFrame =
  'mx-auto grid w-full gap-x-8 gap-y-6 max-sm:gap-y-12 sm:max-lg:max-w-[max(var(--card),320px)] [--card:clamp(280px,calc((100dvh-var(--bar)-258px-var(--extra,0px))*.75),440px)] low:[--card:clamp(260px,calc(100dvh-var(--bar)-188px-var(--extra,0px)),440px)] lg:max-w-[860px] lg:grid-cols-[min(var(--card),54%)_minmax(0,1fr)] lg:items-start'
// The total height above and below the card on a phone.
export const deckFoot = 'short:[--foot:162px]'
export const deckCardBox =
  'relative z-4 mx-auto w-full max-sm:h-[max(170px,calc(100dvh-var(--bar)-var(--tabs)-env(safe-area-inset-bottom)-var(--foot,196px)-var(--extra,0px)))] sm:aspect-3/4 low:aspect-square sm:max-w-(--card)'

export function DeckShape() {
  const { t } = useTranslation('discovery')
  return (
    <div className={classNames(deckFrame, deckFoot)}>
      <p role="status" className="sr-only">
        {t('deck.loading')}
      </p>
      <div className="grid gap-5.5">
        <div className={deckCardBox}>
          <Skeleton className="size-full rounded-xl" />
        </div>
        <div aria-hidden="true" className="flex items-center justify-center gap-4.5 max-sm:hidden">
          <Skeleton className="size-11.5 rounded-full" />
          <Skeleton className="size-14.5 rounded-full" />
          <Skeleton className="size-18 rounded-full" />
          <Skeleton className="size-14.5 rounded-full" />
        </div>
      </div>
      <div aria-hidden="true" className="grid content-start gap-6">
        <Skeleton className="h-37 rounded-l" />
        <Skeleton className="h-36 rounded-l" />
        <Skeleton className="h-30 rounded-l" />
      </div>
    </div>
  )
}
