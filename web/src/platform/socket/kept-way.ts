import { tabTexts } from '../storage.ts'

const key = 'way'
/**
 * Stored after a WebSocket has failed. The key otherwise stores the time (epoch ms) until which the tab avoids
 * WebSocket.
 */
export const afterFailure = 'polling-first'
/** Stored after a WebSocket connection went silent for the first time. */
export const afterSilence = 'silent-once'

export const keptWay = () => tabTexts.read(key)
export const keepWay = (way: string) => tabTexts.write(key, way)

/** Lets the next attempt start with WebSocket again, for example because a different network may allow WebSocket. */
export const forgetWay = (): void => tabTexts.remove(key)
