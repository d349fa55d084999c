import { classNames } from '../class-names.ts'
import { BlurCanvas } from './blur-canvas.tsx'
import { useLastingAddress } from './use-lasting-address.ts'

export interface PhotographSource {
  url: string
  alt: string
  width: number
  height: number
  blurhash: string
}

interface PhotographProps {
  photo: PhotographSource
  sizes: string
  fallbackAlt?: string
  eager?: boolean
  className?: string
}

export function Photograph({ photo, sizes, fallbackAlt = '', eager, className }: PhotographProps) {
  const { url, state, onLoad, onError } = useLastingAddress(photo.url)
  const alt = photo.alt || fallbackAlt
  const srcSet = `${url}&w=320 320w, ${url}&w=640 640w, ${url} ${photo.width}w`
  const loaded = state === 'loaded'
  return (
    <span
      className={classNames('photograph relative block size-full overflow-hidden bg-sunken', className)}
      title={alt || undefined}
    >
      <BlurCanvas hash={photo.blurhash} className="absolute inset-0 size-full" />
      <img
        src={url}
        srcSet={srcSet}
        sizes={sizes}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        draggable={false}
        onLoad={onLoad}
        onError={onError}
        ref={(image) => {
          if (image?.complete && image.naturalWidth > 0 && !loaded) onLoad()
        }}
        className={classNames(
          'relative size-full object-cover transition-opacity duration-(--calm)',
          loaded ? 'opacity-100' : 'opacity-0',
        )}
      />
    </span>
  )
}
