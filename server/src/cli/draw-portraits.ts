import { setPriority } from 'node:os'
import { drawPhoto } from '../demo/draw.ts'
import type { Look } from '../demo/portraits.ts'

// A separate process, because the server's decoder rejects SVG and drawing must not delay requests.
setPriority(15)
process.on('message', ({ number, look }: { number: number; look: Look }) => {
  drawPhoto(look).then(
    (photo) => process.send?.({ number, photo }),
    (error: Error) => process.send?.({ number, error: error.message }),
  )
})
process.once('disconnect', () => process.exit(0))
