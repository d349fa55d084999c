import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { excessOf } from '@duet/contract/written-text.ts'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Conflicts } from '../../ui/form/conflicts.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useDescribePhoto } from './photos.api.ts'

export function DescribeDialog({ photo, onClose }: { photo: OwnPhoto; onClose: () => void }) {
  const { t } = useTranslation('photos')
  const { fields, changes, conflicts, set, keep, take } = useEdits({ alt: photo.alt })
  const { alt } = fields
  const describe = useDescribePhoto()
  const save = () => {
    if (conflicts.length > 0) return
    if (changes.alt === undefined) return onClose()
    describe.mutate({ fileName: photo.fileName, alt: changes.alt.trim() }, { onSuccess: onClose })
  }
  const foot = (
    <Button busy={describe.isPending} disabled={excessOf(alt, limits.altLength) > 0} onClick={save}>
      {t('save')}
    </Button>
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('describe')}
      foot={foot}
      edited={changes.alt !== undefined}
    >
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        error={describe.isError ? t('problem.describe') : undefined}
        maxLength={limits.altLength}
        value={alt}
        onChange={(event) => set({ alt: event.target.value })}
      />
      <Conflicts
        conflicts={conflicts.map((key) => ({ key, label: t('description'), saved: photo.alt }))}
        onKeep={keep}
        onTake={take}
      />
    </Dialog>
  )
}
