import type { Pose } from '@duet/contract/verification.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { CameraView } from './camera-view.tsx'
import { PoseFigure } from './pose-figure.tsx'
import { poseShapes } from './pose-figures.ts'
import { sendProblem, startProblem } from './problem-words.ts'
import { SelfiePreview } from './selfie-preview.tsx'
import { useSendSelfie, useStartVerification } from './verification.api.ts'

interface PoseStepProps {
  pose: Pose
  expiresAt: string
  onSelfie: (has: boolean) => void
}

export function PoseStep({ pose, expiresAt, onSelfie }: PoseStepProps) {
  const { t, i18n } = useTranslation('verification')
  const [selfie, setSelfie] = useState<Blob>()
  const isHere = useRef(true)
  const sending = useSendSelfie((error) => {
    if (!isHere.current) toast.error(t(`sendProblem.${sendProblem(error)}`))
  })
  const isUnsent = selfie !== undefined && !sending.isPending && !sending.isSuccess
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  useEffect(() => {
    onSelfie(isUnsent)
    return () => onSelfie(false)
  }, [isUnsent, onSelfie])
  const time = new Date(expiresAt).toLocaleTimeString(regional(i18n.language), { timeStyle: 'short' })
  const again = () => {
    sending.reset()
    setSelfie(undefined)
  }
  return (
    <div className="grid gap-4">
      <div>
        <p className="text-l font-[560]">{t(`pose.${pose}`)}</p>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="text-s text-ink-2">{t('timeLeft', { time })}</p>
          {poseShapes[pose].hand && !selfie && <WithoutHands />}
        </div>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <div className="grid aspect-3/4 items-end overflow-hidden rounded-m bg-sunken">
          <PoseFigure pose={pose} className="w-full" />
        </div>
        {selfie ? <SelfiePreview selfie={selfie} /> : <CameraView onTaken={setSelfie} />}
      </div>
      <FormError>{sending.isError && t(`sendProblem.${sendProblem(sending.error)}`)}</FormError>
      {sending.isPending && <Progress value={sending.progress * 100} label={t('sending')} />}
      {selfie && (
        <div className="grid gap-3 sm:flex sm:justify-end">
          <Button variant="quiet" disabled={sending.isPending} onClick={again}>
            {t('camera.again')}
          </Button>
          <Button busy={sending.isPending} onClick={() => sending.mutate(selfie)}>
            {t('camera.send')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** For people who can't hold up a hand and notice only now that the pose needs one. */
function WithoutHands() {
  const { t } = useTranslation('verification')
  const start = useStartVerification()
  return (
    <>
      <Button variant="text" size="s" className="-mx-3.5" busy={start.isPending} onClick={() => start.mutate(true)}>
        {t('handsFree')}
      </Button>
      <FormError>{start.isError && t(`startProblem.${startProblem(start.error)}`)}</FormError>
    </>
  )
}
