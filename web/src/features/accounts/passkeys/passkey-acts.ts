import type { Passkey } from '@duet/contract/passkeys.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../platform/call.ts'
import { toast } from '../../../platform/toast.ts'
import { useAccountMutation } from '../access-acts.ts'
import { makePasskey, NotGiven } from './browser.ts'

async function add(): Promise<Passkey | undefined> {
  const options = await call('POST /api/user/passkeys/options')
  const passkey = await makePasskey(options).catch((error: unknown) => {
    if (error instanceof NotGiven) return undefined
    throw error
  })
  return passkey && call('POST /api/user/passkeys', { body: { passkey } })
}

const isKnownHere = (error: unknown) => error instanceof DOMException && error.name === 'InvalidStateError'

export function useAddPasskey() {
  const { t } = useTranslation('accounts')
  return useAccountMutation(
    () =>
      add().catch((error: unknown) => {
        if (!isKnownHere(error)) throw error
        toast.info(t('access.passkeyKnown'))
        return undefined
      }),
    {
      onDone: (added) => added && toast.success(t('access.passkeyAdded')),
      own: { conflict: t('access.passkeysFull') },
    },
  )
}
