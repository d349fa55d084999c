export { forgetAlike } from './alike.ts'
export { createGate } from './gate.ts'
export { createShadow } from './shadow.ts'
