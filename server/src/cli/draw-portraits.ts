import { setPriority } from 'node:os'
import { drawPhoto } from '../demo/draw.ts'
import type { Look } from '../demo/portraits.ts'

// A process of its own: the server can open no drawings, and people who wait for it go first.
setPriority(15)
process.on('message', ({ number, look }: { number: number; look: Look }) => {
  drawPhoto(look).then(
    (photo) => process.send?.({ number, photo }),
    (error: Error) => process.send?.({ number, error: error.message }),
  )
})
process.once('disconnect', () => process.exit(0))
