import { limits } from '@duet/contract/limits.ts'
import type { Action } from '@duet/contract/sanctions.ts'
import { asProse, excessOf } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../../platform/problem.ts'
import { toast } from '../../../platform/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form/error-text.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { SideSheet } from '../../../ui/overlay/side-sheet.tsx'
import { useOpening } from '../../../ui/overlay/use-opening.ts'
import { type Decided, useDecideCase } from '../cases/cases.api.ts'
import type { DecidedCase } from './decided-case.ts'
import { useDecisionDraft } from './decision-draft.ts'
import { DismissFields, SanctionFields } from './decision-fields.tsx'

interface DecisionSheetProps {
  kind: 'report' | 'review'
  about: DecidedCase
  action: Action
  onClose: () => void
}

export function DecisionSheet({ kind, about, action, onClose }: DecisionSheetProps) {
  const { t } = useTranslation('moderation')
  const draft = useDecisionDraft(about, action)
  const { send, refused, busy } = useSend(kind, about, draft.decided, onClose)
  const [asking, setAsking] = useState(false)
  const { statement, note } = draft.decided
  const isLong = excessOf(statement, limits.statementLength) + excessOf(note, limits.reasonLength) > 0
  const isShort = action !== 'dismiss' && asProse(draft.decided.statement).length < limits.statementMin
  const decide = () => {
    if (isShort) return draft.setTried()
    if (isLong) return
    if (action === 'ban') return setAsking(true)
    void send()
  }
  const foot = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('decide.cancel')}
      </Button>
      <Button variant={action === 'ban' ? 'danger' : 'primary'} busy={busy} onClick={decide}>
        {t(`decide.act.${action}`)}
      </Button>
    </>
  )
  return (
    <>
      <SideSheet
        onClose={onClose}
        title={t(`decide.title.${action}`, { name: about.person.name })}
        head={<p className="text-s text-ink-2 text-pretty">{t(`decide.means.${action}`)}</p>}
        foot={foot}
        edited={draft.isEdited}
      >
        <div className="grid gap-5 pt-1">
          {action === 'dismiss' ? (
            <DismissFields {...{ kind, about, draft }} />
          ) : (
            <SanctionFields {...{ kind, about, action, draft }} error={draft.tried && isShort} />
          )}
          <FormError>{refused}</FormError>
        </div>
      </SideSheet>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('decide.sure', { name: about.person.name })}
        description={t('decide.means.ban')}
        act={t('decide.act.ban')}
        onConfirm={send}
      />
    </>
  )
}

const known = new Set(['conflict', 'forbidden', 'not_found', 'rate_limited', 'offline'])

function useSend(kind: 'report' | 'review', about: DecidedCase, decided: Decided, onClose: () => void) {
  const { t } = useTranslation('moderation')
  const decide = useDecideCase(kind)
  const [refused, setRefused] = useState('')
  const begin = useOpening()
  const send = async () => {
    setRefused('')
    const isStillOpen = begin()
    try {
      await decide.mutateAsync({ id: about.id, ...decided })
      toast.success(t(`decide.done.${decided.action}`, { name: about.person.name }))
      if (isStillOpen()) onClose()
    } catch (error) {
      const code = problemCode(error)
      setRefused(t(`refused.${known.has(code) ? code : 'other'}`))
    }
  }
  return { send, refused, busy: decide.isPending }
}
