import { randomBytes } from 'node:crypto'

export const newExportName = () => `${randomBytes(32).toString('base64url')}.zip`

export const exportKey = (fileName: string) => `exports/${fileName}`

/** Whether a file name has the form that `newExportName` creates. */
export const isExportFile = (fileName: string) => /^[A-Za-z0-9_-]{43}\.zip$/.test(fileName)
