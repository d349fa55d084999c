import { deviceTexts } from '../../platform/storage.ts'

/** Under this key the browser keeps who wanted to be pushed to here, and where that was last said to go. */
export const keptKey = 'push'
export const isWanted = () => deviceTexts.read(keptKey) !== null

/** Under this key the browser keeps that the offer was answered: it is made once. */
const answeredKey = 'push-answered'

export const noteAnswer = () => void deviceTexts.write(answeredKey, 'yes')

/** Whether neither the offer nor the browser's own question was answered here. */
export const mayOffer = () =>
  'Notification' in window && Notification.permission === 'default' && deviceTexts.read(answeredKey) === null
