import sharp from 'sharp'
import { develop } from '../features/photos/develop.ts'
import { answerTasks } from '../platform/storage/decoder-process.ts'

// Decoders as a new trick would find them: the picture is ordinary by every rule, and takes very long all the same.
sharp.cache(false)
sharp.concurrency(1)
answerTasks({ photo: develop, unchecked: (bytes) => sharp(bytes, { failOn: 'none' }).resize(1080).raw().toBuffer() })
