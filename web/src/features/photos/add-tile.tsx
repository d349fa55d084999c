import { ImagePlus } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredPictures } from '../../platform/picture/picture-kind.ts'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'

interface AddTileProps {
  onAdd: (files: readonly File[]) => void
  /** The progress text for photos being added; false if there are none. */
  busy: string | false
}

export function AddTile({ onAdd, busy }: AddTileProps) {
  const { t } = useTranslation('photos')
  const [over, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!busy) onAdd([...event.dataTransfer.files])
  }
  return (
    <li>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the input inside is the control */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <label
          className={classNames(
            'grid aspect-3/4 place-content-center justify-items-center gap-2 rounded-m border-[1.5px] border-dashed p-3 text-center text-s text-ink-2 transition hover:border-accent hover:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent',
            over ? 'border-accent bg-accent-soft text-accent' : 'border-ink-3',
          )}
        >
          {busy ? <Spinner /> : <ImagePlus aria-hidden="true" />}
          {busy || t('add')}
          <input
            type="file"
            multiple
            accept={offeredPictures()}
            disabled={busy !== false}
            className="sr-only"
            onChange={(event) => {
              onAdd([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      </div>
    </li>
  )
}
