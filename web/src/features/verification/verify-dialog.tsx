import type { Verification } from '@duet/contract/verification.ts'
import { Dices, Eye, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Figure } from '../../ui/figure.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { PoseStep } from './pose-step.tsx'
import { startProblem } from './problem-words.ts'
import { useStartVerification } from './verification.api.ts'

interface VerifyDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  verification: Verification
}

export function VerifyDialog({ open, onOpenChange, verification: { state, pose, expiresAt } }: VerifyDialogProps) {
  const { t } = useTranslation('verification')
  const [handsFree, setHandsFree] = useState(false)
  const [hasSelfie, setHasSelfie] = useState(false)
  const start = useStartVerification()
  const common = { open, onOpenChange }
  if (state === 'asked' && pose) {
    return (
      <Dialog {...common} title={t('poseTitle')} edited={hasSelfie}>
        <PoseStep key={pose} pose={pose} expiresAt={expiresAt ?? ''} onSelfie={setHasSelfie} />
      </Dialog>
    )
  }
  if (state === 'waiting' || state === 'approved') {
    const close = <Button onClick={() => onOpenChange(false)}>{t('close')}</Button>
    return (
      <Dialog {...common} title={t('sentTitle')} foot={close}>
        <div className="grid justify-items-center gap-4 pt-2">
          <Figure name="letters" />
          <p className="text-ink-2">{t('sentText')}</p>
        </div>
      </Dialog>
    )
  }
  const show = (
    <Button busy={start.isPending} onClick={() => start.mutate(handsFree)}>
      {t('show')}
    </Button>
  )
  return (
    <Dialog {...common} title={t('act.start')} foot={show}>
      <Steps />
      <Switch label={t('handsFree')} hint={t('handsFreeHint')} checked={handsFree} onChange={setHandsFree} />
      <FormError>{start.isError && t(`startProblem.${startProblem(start.error)}`)}</FormError>
    </Dialog>
  )
}

const steps = [
  ['pose', Dices],
  ['look', Eye],
  ['gone', Trash2],
] as const

function Steps() {
  const { t } = useTranslation('verification')
  return (
    <ul className="mt-1 mb-5 grid gap-4">
      {steps.map(([step, Icon]) => (
        <li key={step} className="flex items-start gap-3.5">
          <span className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-ink-2">
            <Icon aria-hidden="true" className="size-5" />
          </span>
          <p className="pt-2">{t(`steps.${step}`)}</p>
        </li>
      ))}
    </ul>
  )
}
