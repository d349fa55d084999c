import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import { Photograph } from '../../ui/photo/photograph.tsx'

interface BlurredPhotoProps {
  photo: { url: string | null; width: number; height: number; blurhash: string; alt?: string }
  label: string
}

export function BlurredPhoto({ photo, label }: BlurredPhotoProps) {
  const { t } = useTranslation('reports')
  const [shown, setShown] = useState(false)
  const { url, alt = '', ...rest } = photo
  if (!url)
    return (
      <p className="grid size-full place-items-center rounded-m bg-line p-3 text-s text-ink-2">{t('admin.noFile')}</p>
    )
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
      className="block size-full overflow-hidden rounded-m"
    >
      <Photograph
        photo={{ ...rest, alt, url }}
        sizes="240px"
        className={classNames('transition', !shown && 'blur-xl')}
      />
    </button>
  )
}
