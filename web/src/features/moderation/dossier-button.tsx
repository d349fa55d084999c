import { FileSearch } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { KeyCap } from './key-cap.tsx'
import { caseKeys } from './keys.ts'

const DossierSheet = lazy(async () => ({ default: (await import('./dossier-sheet.tsx')).DossierSheet }))

/** Leads to what may be known of somebody. */
export function DossierButton({ person }: { person: { id: string; name: string } }) {
  const { t } = useTranslation('moderation')
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button
        variant="quiet"
        size="s"
        aria-keyshortcuts={caseKeys.dossier}
        icon={<FileSearch aria-hidden="true" className="size-4.5!" />}
        onClick={() => setOpen(true)}
      >
        {t('dossier.open')}
        <KeyCap>{caseKeys.dossier}</KeyCap>
      </Button>
      {open && (
        <Suspense fallback={null}>
          <DossierSheet person={person} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
