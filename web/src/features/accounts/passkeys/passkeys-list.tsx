import type { Passkey } from '@duet/contract/passkeys.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../platform/call.ts'
import { relativeTime } from '../../../platform/time.ts'
import { toast } from '../../../platform/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useAccountMutation } from '../access-acts.ts'
import { problemWords } from '../problem-words.ts'
import { NotProved } from '../step-up.tsx'

export function PasskeysList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [leaving, setLeaving] = useState<Passkey>()
  const { runAsync } = useAccountMutation((id: string) => call('DELETE /api/user/passkeys/:id', { params: { id } }), {
    onDone: () => toast.success(t('access.passkeyRemoved')),
  })
  const remove = async (id: string) => {
    await runAsync(id).catch((error: unknown) => {
      if (!(error instanceof NotProved)) toast.error(problemWords(error, t))
    })
  }
  return (
    <>
      <ul className="grid w-full gap-1.5 sm:ps-13.5" aria-label={t('access.passkeys')}>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
        ))}
      </ul>
      <Confirm
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={t('access.removePasskeyTitle')}
        description={t('access.removePasskeyHint', { name: leaving?.name })}
        act={t('access.remove')}
        onConfirm={() => leaving && remove(leaving.id)}
      />
    </>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t, i18n } = useTranslation(['accounts', 'common'])
  const [now] = useState(() => new Date())
  const { name, lastUsedAt, createdAt } = passkey
  const at = (time: string) => relativeTime(time, now, t, i18n.language)
  return (
    <li className="flex items-center gap-3 rounded-m bg-sunken py-2 ps-4 pe-2">
      <span className="min-w-0 flex-1">
        <span className="block font-[560] wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
        <span className="block text-s text-ink-2">
          {lastUsedAt
            ? t('access.passkeyUsed', { time: at(lastUsedAt) })
            : t('access.passkeyMade', { time: at(createdAt) })}
        </span>
      </span>
      <Button variant="text" size="s" onClick={onRemove} aria-label={t('access.removePasskey', { name })}>
        {t('access.remove')}
      </Button>
    </li>
  )
}
