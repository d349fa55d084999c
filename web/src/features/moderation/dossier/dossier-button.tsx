import { FileSearch } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyButton } from '../cases/key-button.tsx'
import { caseKeys } from '../cases/keys.ts'

const DossierSheet = lazy(async () => ({ default: (await import('./dossier-sheet.tsx')).DossierSheet }))

/** Opens the dossier of a person. */
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
        <Suspense fallback={null}>
          <DossierSheet person={person} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
