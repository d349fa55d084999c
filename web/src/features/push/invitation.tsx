import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { noteRefusal } from './offered.ts'
import { pushQuery, useAbility } from './push.api.ts'
import { useTurnOn } from './this-device.tsx'

export function Invitation() {
  const ability = useAbility()
  const [answered, setAnswered] = useState(false)
  const isOpen = !answered && ability === 'able'
  const { data } = useQuery({ ...pushQuery, enabled: isOpen })
  if (!isOpen || !data?.publicKey || data.devices.some(({ current }) => current)) return null
  const answer = (isOn: boolean) => {
    if (!isOn) noteRefusal()
    setAnswered(true)
  }
  return <Offer publicKey={data.publicKey} onAnswer={answer} />
}

function Offer({ publicKey, onAnswer }: { publicKey: string; onAnswer: (isOn: boolean) => void }) {
  const { t } = useTranslation('push')
  const { busy, start } = useTurnOn(publicKey, onAnswer)
  return (
    <section aria-label={t('invitation.title')} className="mx-4 mb-2 rounded-m bg-accent-soft p-4">
      <div className="flex gap-3">
        <BellRing aria-hidden="true" className="mt-0.5 size-5 flex-none text-accent" />
        <div className="min-w-0">
          <p className="font-[580]">{t('invitation.title')}</p>
          <p className="mt-0.5 text-s text-ink-2 text-pretty">{t('invitation.text')}</p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2 ps-8">
        <Button size="s" busy={busy} onClick={start}>
          {t('invitation.yes')}
        </Button>
        <Button size="s" variant="text" onClick={() => onAnswer(false)}>
          {t('invitation.no')}
        </Button>
      </div>
    </section>
  )
}
