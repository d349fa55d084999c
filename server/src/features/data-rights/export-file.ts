import { randomBytes } from 'node:crypto'

/** A name for an export that cannot be guessed. */
export const newExportName = () => `${randomBytes(32).toString('base64url')}.zip`

/** Where it is in the store. */
export const exportKey = (fileName: string) => `exports/${fileName}`

/** Whether `newExportName` could have given a name. */
export const isExportFile = (fileName: string) => /^[A-Za-z0-9_-]{43}\.zip$/.test(fileName)
