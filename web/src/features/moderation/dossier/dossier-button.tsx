import { FileSearch } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { KeyButton } from '../cases/key-button.tsx'
import { caseKeys } from '../cases/keys.ts'

const DossierSheet = lazily(async () => ({ default: (await import('./dossier-sheet.tsx')).DossierSheet }))

export function DossierButton({ person }: { person: { id: string; name: string } }) {
  const { t } = useTranslation('moderation')
  const [open, setOpen] = useState(false)
  return (
    <div>
      <KeyButton
        shortcut={caseKeys.dossier}
        icon={<FileSearch aria-hidden="true" className="size-4.5!" />}
        onClick={() => setOpen(true)}
      >
        {t('dossier.open')}
      </KeyButton>
      {open && (
        <Extra onFail={() => setOpen(false)}>
          <DossierSheet person={person} onClose={() => setOpen(false)} />
        </Extra>
      )}
    </div>
  )
}
