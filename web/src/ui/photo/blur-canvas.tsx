import { decode, isBlurhashValid } from 'blurhash'
import { useEffect, useRef } from 'react'

const side = 32

export function BlurCanvas({ hash, className }: { hash: string; className?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !isBlurhashValid(hash).result) return
    const image = context.createImageData(side, side)
    image.data.set(decode(hash, side, side))
    context.putImageData(image, 0, 0)
  }, [hash])
  return (
    <span aria-hidden="true" className={className}>
      <canvas ref={canvas} width={side} height={side} className="block size-full" />
    </span>
  )
}
