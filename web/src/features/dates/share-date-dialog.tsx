import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { DateFields } from './date-fields.tsx'
import { type DateProblem, emptyDraft, newDateOf, problemOf } from './date-form.ts'
import { useShareDate } from './dates.api.ts'
import { ShareLink } from './share-link.tsx'

export interface ShareDateProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  person?: { id: string; name: string } | undefined
}

const known = ['conflict', 'rate_limited', 'not_found', 'offline', 'restricted']
function wordFor(error: unknown): string {
  const code = problemCode(error)
  if (code === 'validation_failed') return 'contactTooLate'
  return known.includes(code) ? code : 'internal'
}

export function ShareDateDialog({ open, onOpenChange, person }: ShareDateProps) {
  const { t } = useTranslation('dates')
  const [first] = useState(() => emptyDraft(new Date()))
  const [draft, setDraft] = useState(first)
  const [problem, setProblem] = useState<DateProblem>()
  const share = useShareDate()
  const send = () => {
    const found = problemOf(draft, new Date())
    setProblem(found)
    if (!found) share.mutate(newDateOf(draft, person?.id))
  }
  if (share.data) {
    const close = (
      <Button variant="quiet" onClick={() => onOpenChange(false)}>
        {t('done')}
      </Button>
    )
    return (
      <Dialog {...{ open, onOpenChange }} title={t('sharedTitle')} description={t('sharedText')} foot={close}>
        <ShareLink url={share.data.url} />
      </Dialog>
    )
  }
  const act = (
    <Button busy={share.isPending} onClick={send}>
      {t('makeLink')}
    </Button>
  )
  const edited = draft.when !== first.when || draft.checkIn !== first.checkIn
  const says = person ? t('leadWith', { name: person.name }) : t('lead')
  return (
    <Dialog
      {...{ open, onOpenChange, edited }}
      holds={share.isPending}
      title={t('shareTitle')}
      description={says}
      foot={act}
    >
      <DateFields draft={draft} onChange={setDraft} problem={problem} />
      <FormError>{share.isError && t(`problem.${wordFor(share.error)}`)}</FormError>
    </Dialog>
  )
}
