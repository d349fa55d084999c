import { inspectVoice } from '../features/conversations/inspect-voice.ts'
import { blockOtherFormats, develop } from '../features/photos/develop.ts'
import { photoPrint } from '../features/spam/photo-print.ts'
import { answerTasks } from '../platform/storage/decoder-process.ts'

// A separate process that has access to nothing but the file, so that it can be killed whatever the library is doing.
blockOtherFormats()
answerTasks({ photo: develop, print: photoPrint, voice: inspectVoice })
