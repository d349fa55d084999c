import type { MyDetails } from '@duet/contract/profiles.ts'
import { MapPin } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { destination, takeDestination } from '../../features/accounts/entry/destination.ts'
import { forgetKept } from '../../features/accounts/entry/kept.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'

export function DoneStep({ details }: { details: MyDetails }) {
  const { t } = useTranslation(['accounts', 'profiles'])
  const [answer] = details.prompts
  const [to] = useState(destination)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    forgetKept()
    takeDestination()
    heading.current?.focus()
  }, [])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-115 animate-fade flex-col px-6 py-8">
      <Wordmark />
      <h1 ref={heading} tabIndex={-1} className="display mt-10 text-[38px]">
        {t('done.title', { name: details.name })}
      </h1>
      <p className="mt-3 mb-7 text-ink-2">{t('done.lead')}</p>
      <PreviewCard details={details} />
      {answer && (
        <Card className="mt-5">
          <h2 className="text-s font-[540] text-ink-2">{t(`profiles:prompts.${answer.prompt}`)}</h2>
          <p dir="auto" className="mt-1.5 font-display text-[23px] leading-[1.28] wrap-break-word">
            {answer.answer}
          </p>
        </Card>
      )}
      <div className="mt-auto grid gap-2 pt-8 sm:mt-0">
        <LinkButton to={to} size="l" wide>
          {t('done.start')}
        </LinkButton>
        <LinkButton to={`/profile/${details.id}`} variant="text" wide>
          {t('done.edit')}
        </LinkButton>
      </div>
    </main>
  )
}

function PreviewCard({ details }: { details: MyDetails }) {
  const { t } = useTranslation('accounts')
  const [photo] = details.photos
  const nameAndAge = (
    <p className="display text-[36px] wrap-break-word">
      <bdi>{details.name}</bdi> <span className="font-normal opacity-90">{details.age}</span>
    </p>
  )
  const area = details.area && (
    <p className="mt-2 flex items-center gap-1.5 text-[15px] font-medium">
      <MapPin aria-hidden="true" className="size-4" />
      {details.area}
    </p>
  )
  if (!photo) {
    return (
      <Card>
        {nameAndAge}
        {area}
        <p className="mt-3 text-s text-ink-2">{t('done.noPhoto')}</p>
      </Card>
    )
  }
  return (
    <article className="relative aspect-3/4 overflow-hidden rounded-xl shadow-one">
      <Photograph photo={photo} sizes="460px" fallbackAlt={details.name} eager />
      <div className="scrim absolute inset-x-0 bottom-0 px-6.5 pt-21 pb-6 text-white">
        {nameAndAge}
        {area}
      </div>
    </article>
  )
}
