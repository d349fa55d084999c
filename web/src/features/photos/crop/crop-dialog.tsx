import 'react-easy-crop/react-easy-crop.css'
import { useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { regional } from '../../../platform/socket/region.ts'
import { Button } from '../../../ui/button.tsx'
import { SliderRange } from '../../../ui/form/slider-range.tsx'
import DialogPanel from '../../../ui/overlay/dialog-panel.tsx'
import { cardShape, drawPart, isTooSmall, type Part, sizeOf } from './crop.ts'

const most = 4

interface CropDialogProps {
  picture: Blob
  onUse: (part: File) => void
  /** Uploads the uncropped picture. Undefined for a photo that was uploaded earlier. */
  onWhole: (() => void) | undefined
  onClose: () => void
}

export default function CropDialog({ picture, onUse, onWhole, onClose }: CropDialogProps) {
  const { t } = useTranslation('photos')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [part, setPart] = useState<Part>()
  const [state, setState] = useState<'choosing' | 'drawing' | 'failed'>('choosing')
  const small = part !== undefined && isTooSmall(part)
  const use = async () => {
    if (!part || small) return
    setState('drawing')
    await drawPart(picture, part).then(onUse, () => setState('failed'))
  }
  const foot = (
    <>
      {onWhole && (
        <Button variant="quiet" disabled={state === 'drawing'} onClick={onWhole}>
          {t('crop.whole')}
        </Button>
      )}
      <Button busy={state === 'drawing'} disabled={!part || small} onClick={() => void use()}>
        {t('crop.use')}
      </Button>
    </>
  )
  return (
    <DialogPanel
      open
      onOpenChange={onClose}
      title={t('crop.title')}
      description={t('crop.how')}
      foot={foot}
      holds={state === 'drawing'}
      edited={zoom !== 1 || crop.x !== 0 || crop.y !== 0}
    >
      <Frame
        {...{ picture, crop, zoom }}
        onCrop={setCrop}
        onZoom={setZoom}
        onPart={setPart}
        onFailed={() => setState('failed')}
      />
      <p role="alert" className="text-s font-medium text-bad not-empty:mt-3">
        {state === 'failed' && t('problem.open')}
        {state !== 'failed' && small && t('crop.tooSmall')}
      </p>
    </DialogPanel>
  )
}

interface FrameProps {
  picture: Blob
  crop: { x: number; y: number }
  zoom: number
  onCrop: (crop: { x: number; y: number }) => void
  onZoom: (zoom: number) => void
  onPart: (part: Part) => void
  onFailed: () => void
}

function Frame({ picture, crop, zoom, onCrop, onZoom, onPart, onFailed }: FrameProps) {
  const { t, i18n } = useTranslation('photos')
  const opened = useOpened(picture, onFailed)
  const times = new Intl.NumberFormat(regional(i18n.language), { maximumFractionDigits: 1 }).format(zoom)
  return (
    <>
      <div dir="ltr" className="relative h-[min(48dvh,440px)] touch-none overflow-hidden rounded-m bg-[rgb(20_12_8)]">
        {opened && (
          <Cropper
            image={opened.url}
            aspect={cardShape}
            crop={crop}
            zoom={zoom}
            maxZoom={most}
            // A wide picture fills the frame's height, because only its width will be cropped.
            objectFit={opened.wide ? 'vertical-cover' : 'contain'}
            keyboardStep={10}
            // Injected styles would violate the content security policy.
            disableAutomaticStylesInjection
            onCropChange={onCrop}
            onZoomChange={onZoom}
            onCropAreaChange={(_, pixels) => onPart(pixels)}
            mediaProps={{ alt: '', onError: onFailed }}
            cropperProps={{ role: 'group', 'aria-label': t('crop.area') }}
          />
        )}
      </div>
      <SliderRange
        className="mt-4"
        thumbs={[t('crop.zoom')]}
        label={t('crop.zoom')}
        text={t('crop.times', { times })}
        min={1}
        max={most}
        step={0.1}
        value={[zoom]}
        onChange={([next = 1]) => onZoom(next)}
      />
    </>
  )
}

/** Opens a picture and creates an object URL, which is revoked on unmount. `wide` means wider than a card. */
function useOpened(picture: Blob, onFailed: () => void): { url: string; wide: boolean } | undefined {
  const [opened, setOpened] = useState<{ url: string; wide: boolean }>()
  const failed = useRef(onFailed)
  useEffect(() => {
    const url = URL.createObjectURL(picture)
    let isHere = true
    void sizeOf(picture).then((size) => {
      if (!isHere) return
      if (size) setOpened({ url, wide: size.width / size.height > cardShape })
      else failed.current()
    })
    return () => {
      isHere = false
      URL.revokeObjectURL(url)
    }
  }, [picture])
  return opened
}
