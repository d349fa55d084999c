import { limits } from '@duet/contract/limits.ts'
import type { Action } from '@duet/contract/sanctions.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeOf } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormError } from '../../ui/error-text.tsx'
import { SideSheet } from '../../ui/side-sheet.tsx'
import { type Decided, useDecide } from './cases.api.ts'
import type { DecidedCase } from './decide-acts.tsx'
import { DismissFields, SanctionFields } from './decision-fields.tsx'
import { useStatement } from './statement-draft.ts'

interface DecisionSheetProps {
  kind: 'report' | 'review'
  about: DecidedCase
  action: Action
  onClose: () => void
}

/** Everything a decision says before it is made, and what the person will read. A ban is asked for once more. */
export function DecisionSheet({ kind, about, action, onClose }: DecisionSheetProps) {
  const { t } = useTranslation('moderation')
  const draft = useDraft(about, action)
  const { send, refused, busy } = useSend(kind, about, draft.decided, onClose)
  const [asking, setAsking] = useState(false)
  const isShort = action !== 'dismiss' && draft.decided.statement.trim().length < limits.statementMin
  const decide = () => {
    if (isShort) return draft.setTried()
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

export type Draft = ReturnType<typeof useDraft>

function useDraft(about: DecidedCase, action: Action) {
  const [given, setGiven] = useState({
    ground: about.ground,
    ...{ note: '', days: action === 'restrict' ? 3 : 7, falseReport: false, allOfSubject: about.sameSubject > 0 },
  })
  const [language, setLanguage] = useState(about.language)
  const [tried, setTried] = useState(false)
  const { statement, write, prefill } = useStatement(language, given.ground, about)
  const decided: Decided = { ...given, action, statement }
  return {
    ...{ decided, language, setLanguage, write, prefill, tried },
    setTried: () => setTried(true),
    change: (changes: Partial<typeof given>) => setGiven({ ...given, ...changes }),
  }
}

const known = new Set(['conflict', 'forbidden', 'not_found', 'rate_limited', 'offline'])

function useSend(kind: 'report' | 'review', about: DecidedCase, decided: Decided, onClose: () => void) {
  const { t } = useTranslation('moderation')
  const decide = useDecide(kind)
  const [refused, setRefused] = useState('')
  const send = async () => {
    setRefused('')
    try {
      await decide.mutateAsync({ id: about.id, ...decided })
      toast.success(t(`decide.done.${decided.action}`, { name: about.person.name }))
      onClose()
    } catch (error) {
      const code = codeOf(error)
      setRefused(t(`refused.${known.has(code) ? code : 'other'}`))
    }
  }
  return { send, refused, busy: decide.isPending }
}
