import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IdCard } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../platform/call.ts'
import { toast } from '../../../platform/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useAccountMutation } from '../access-acts.ts'
import { problemWords } from '../problem-words.ts'
import { NotProved } from '../step-up.tsx'
import { Way } from '../way.tsx'

const identitiesKey = ['identities'] as const

interface Identity {
  id: string
  name: string
  removed: boolean
}

export const useIdentities = () =>
  useQuery({
    queryKey: identitiesKey,
    queryFn: ({ signal }) => call('GET /api/user/identities', { signal }),
  })

export function LinkedAccounts() {
  const { data } = useIdentities()
  return data?.identities.map((identity) => <LinkedAccount key={identity.id} identity={identity} />)
}

function LinkedAccount({ identity: { id, name, removed } }: { identity: Identity }) {
  const { t } = useTranslation(['accounts', 'entry'])
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(false)
  const params = { id }
  const said = (words: string) => {
    toast.success(words)
    void queryClient.invalidateQueries({ queryKey: identitiesKey })
  }
  const remove = useAccountMutation(() => call('DELETE /api/user/identities/:id', { params }), {
    onDone: () => said(t('access.linkRemoved', { name })),
  })
  const allow = useAccountMutation(() => call('POST /api/user/identities/:id/allow', { params }), {
    onDone: () => said(t('access.linkAllowed', { name })),
  })
  const run = (act: typeof remove) =>
    act.runAsync(undefined).then(
      () => undefined,
      (error: unknown) => void (error instanceof NotProved || toast.error(problemWords(error, t))),
    )
  return (
    <>
      <Way
        id={`linked-${id}`}
        icon={IdCard}
        title={name}
        acts={
          <Button
            variant="quiet"
            size="s"
            busy={allow.busy}
            onClick={() => (removed ? void run(allow) : setAsked(true))}
          >
            {t(removed ? 'access.allowLink' : 'access.removeLink')}
          </Button>
        }
      >
        {t(removed ? 'access.linkGone' : 'access.link')}
      </Way>
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title={t('access.removeLinkTitle', { name })}
        description={t('access.removeLinkHint')}
        act={t('access.removeLink')}
        onConfirm={() => run(remove)}
      />
    </>
  )
}
