import { tabTexts } from '../storage.ts'

const key = 'way'
/** Stored after a WebSocket failed to connect, in place of the time until which the tab avoids WebSocket (epoch ms). */
export const afterFailure = 'polling-first'
/** Stored instead after a WebSocket connection went silent. */
export const afterSilence = 'silent-once'

export const keptWay = () => tabTexts.read(key)
export const keepWay = (way: string) => tabTexts.write(key, way)

/** Lets the next attempt start with WebSocket again, for example because another network may allow it. */
export const forgetWay = (): void => tabTexts.remove(key)
