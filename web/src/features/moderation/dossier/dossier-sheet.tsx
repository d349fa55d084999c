import { limits } from '@duet/contract/limits.ts'
import { asProse, excessOf } from '@duet/contract/written-text.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { SideSheet } from '../../../ui/overlay/side-sheet.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useDossier } from '../moderation.api.ts'
import { DossierView } from './dossier-view.tsx'

const reasonMin = 5

interface DossierSheetProps {
  person: { id: string; name: string }
  onClose: () => void
}

export function DossierSheet({ person: first, onClose }: DossierSheetProps) {
  const { t } = useTranslation('moderation')
  const [person, setPerson] = useState(first)
  const [reason, setReason] = useState<string | null>(null)
  const { data, isError, isFetching, refetch } = useDossier(person.id, reason)
  // Viewing another person requires a separate reason and is logged separately.
  const open = (other: typeof first) => {
    setPerson(other)
    setReason(null)
  }
  return (
    <SideSheet onClose={onClose} title={t('dossier.title', { name: person.name })}>
      {reason === null && <AskReason key={person.id} onGive={setReason} />}
      {reason !== null && !data && !isError && <Skeleton className="h-72 rounded-m" />}
      {isError && <ErrorState text={t('dossier.failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {data && <DossierView dossier={data} onOpen={open} />}
    </SideSheet>
  )
}

function AskReason({ onGive }: { onGive: (reason: string) => void }) {
  const { t } = useTranslation('moderation')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const isShort = asProse(reason).length < reasonMin
  const give = (event: FormEvent) => {
    event.preventDefault()
    if (isShort) setTried(true)
    else if (excessOf(reason, limits.reasonLength) === 0) onGive(reason.trim())
  }
  return (
    <form onSubmit={give} className="grid gap-4">
      <p className="text-s text-ink-2 text-pretty">{t('dossier.recorded')}</p>
      <Field
        label={t('dossier.reason')}
        hint={t('dossier.reasonHint')}
        error={tried && isShort ? t('dossier.reasonShort') : undefined}
        value={reason}
        maxLength={limits.reasonLength}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" className="justify-self-start">
        {t('dossier.show')}
      </Button>
    </form>
  )
}
