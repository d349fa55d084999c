import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useDescribePhoto } from './photos.api.ts'

/** A photo in words, for people who cannot see it. */
export function DescribeDialog({ photo, onClose }: { photo: OwnPhoto; onClose: () => void }) {
  const { t } = useTranslation('photos')
  const [alt, setAlt] = useState(photo.alt)
  const describe = useDescribePhoto()
  const save = () => describe.mutate({ fileName: photo.fileName, alt: alt.trim() }, { onSuccess: onClose })
  const foot = (
    <Button busy={describe.isPending} onClick={save}>
      {t('save')}
    </Button>
  )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('describe')} foot={foot}>
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        error={describe.isError ? t('problem.describe') : undefined}
        maxLength={limits.altLength}
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
      />
    </Dialog>
  )
}
