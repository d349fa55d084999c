import type { LinkedAccount } from '@duet/contract/moderation.ts'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'

interface LinkedProps {
  accounts: readonly LinkedAccount[]
  onOpen: (person: { id: string; name: string }) => void
}

export function Linked({ accounts, onOpen }: LinkedProps) {
  const { t } = useTranslation('moderation')
  return (
    <section>
      <h3 className="font-[620]">{t('dossier.linked')}</h3>
      <p className="mb-2 text-s text-ink-2 text-pretty">{t('dossier.linkedHint')}</p>
      <ul className="grid gap-3">
        {accounts.map(({ person, standing, signals }) => (
          <li key={person.id} className="grid gap-1 rounded-m bg-sunken p-4 text-s">
            <p className="font-[620] wrap-anywhere">
              <bdi>{person.name}</bdi> · {t(`standing.${standing}`)}
            </p>
            <p className="text-ink-2">
              {signals.map(({ kind, count }) => t(`dossier.signal.${kind}`, { count })).join(' · ')}
            </p>
            <Button
              variant="text"
              size="s"
              className="-ms-3.5 justify-self-start"
              aria-label={t('dossier.openOther', { name: person.name })}
              onClick={() => onOpen(person)}
            >
              {t('dossier.open')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
