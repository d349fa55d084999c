import 'yet-another-react-lightbox/styles.css'
import 'yet-another-react-lightbox/plugins/counter.css'
import { ChevronLeft, ChevronRight, ImageOff, X, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import Yarl from 'yet-another-react-lightbox'
import Counter from 'yet-another-react-lightbox/plugins/counter'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { useBackCloses } from '../overlay/use-back-closes.ts'
import { Spinner } from '../spinner.tsx'

/**
 * `url` serves the widest version; append `&w=320` or `&w=640` for a narrower one. `width` and `height` are those of
 * the widest version.
 */
interface LightboxPhoto {
  url: string
  alt: string
  width: number
  height: number
}

export interface LightboxProps {
  label: string
  photos: readonly LightboxPhoto[]
  index: number
  onClose: () => void
  /**
   * Called when a photo fails to load, because its URL may have expired. The photo is then loaded from the next
   * `photos`.
   */
  onExpired?: (() => void) | undefined
}

function slideOf({ url, alt, width, height }: LightboxPhoto) {
  const narrow = [320, 640].filter((wide) => wide < width)
  const files = narrow.map((wide) => ({
    src: `${url}&w=${wide}`,
    width: wide,
    height: Math.round((wide * height) / width),
  }))
  return { src: url, alt, width, height, srcSet: [...files, { src: url, width, height }] }
}

export default function LightboxView({ label, photos, index: first, onClose, onExpired }: LightboxProps) {
  const { t } = useTranslation('ui')
  useBackCloses(true, onClose)
  const [index, setIndex] = useState(first)
  // Each fetch of the list returns new URLs. Photos that have already loaded keep their old ones, to avoid loading
  // again.
  const [slides, setSlides] = useState(() => photos.map(slideOf))
  const [failed, setFailed] = useState<string>()
  const newer = photos[index]?.url
  if (failed !== undefined && newer !== undefined && newer !== failed) {
    setFailed(undefined)
    setSlides(photos.map(slideOf))
  }
  const fail = () => {
    setFailed(slides[index]?.src)
    onExpired?.()
  }
  const one = slides.length < 2
  return (
    <Yarl
      open
      close={onClose}
      index={index}
      slides={slides}
      plugins={one ? [Zoom] : [Zoom, Counter]}
      labels={{
        Lightbox: label,
        'Photo gallery': label,
        Carousel: t('photo.carousel'),
        Slide: t('photo.slide'),
        Previous: t('photo.previous'),
        Next: t('photo.next'),
        Close: t('close'),
        'Zoom in': t('photo.zoomIn'),
        'Zoom out': t('photo.zoomOut'),
        '{index} of {total}': t('photo.place', { index: '{index}', total: '{total}' }),
      }}
      on={{ view: ({ index: now }) => setIndex(now) }}
      carousel={{ finite: true, preload: 1, padding: 0, spacing: '8%' }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      animation={{ fade: 200, swipe: 240, zoom: 200 }}
      zoom={{ maxZoomPixelRatio: 2, doubleClickMaxStops: 1 }}
      render={{
        ...(one && { buttonPrev: () => null, buttonNext: () => null }),
        iconPrev: () => <ChevronLeft aria-hidden="true" className="mirror size-7!" />,
        iconNext: () => <ChevronRight aria-hidden="true" className="mirror size-7!" />,
        iconClose: () => <X aria-hidden="true" className="size-6!" />,
        iconZoomIn: () => <ZoomIn aria-hidden="true" className="size-6!" />,
        iconZoomOut: () => <ZoomOut aria-hidden="true" className="size-6!" />,
        iconLoading: () => <Spinner className="size-8 text-white" />,
        iconError: () => <Failed onSeen={fail} />,
      }}
      styles={{
        root: {
          '--yarl__color_backdrop': 'rgb(20 12 8 / .96)',
          '--yarl__portal_zindex': 40,
          '--yarl__toolbar_padding': 'max(8px, env(safe-area-inset-top)) 8px 8px',
        },
        button: { minWidth: 48, minHeight: 48, display: 'grid', placeItems: 'center', borderRadius: 9999 },
      }}
    />
  )
}

function Failed({ onSeen }: { onSeen: () => void }) {
  const { t } = useTranslation('ui')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per mount
  useEffect(onSeen, [])
  return (
    <span role="alert" className="grid justify-items-center gap-3 p-6 text-center text-white">
      <ImageOff aria-hidden="true" className="size-8!" />
      {t('photo.failed')}
    </span>
  )
}
