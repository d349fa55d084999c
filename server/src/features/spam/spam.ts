export { forgetAlike } from './alike.ts'
export { createGate } from './gate.ts'
export { forgetLinks, noteNewcomer, noteNewPhotos } from './linked.ts'
export { createShadow } from './shadow.ts'
