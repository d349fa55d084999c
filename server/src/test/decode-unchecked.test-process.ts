import sharp from 'sharp'
import { develop } from '../features/photos/develop.ts'
import { answerTasks } from '../platform/storage/decoder-process.ts'

// Decodes without our checks, to simulate an unknown attack: a picture that passes every rule and still takes very
// long.
sharp.cache(false)
sharp.concurrency(1)
answerTasks({ photo: develop, unchecked: (bytes) => sharp(bytes, { failOn: 'none' }).resize(1080).raw().toBuffer() })
