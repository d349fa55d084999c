export { BlockConfirm } from './block-confirm.tsx'
export { BlockedList } from './blocked-list.tsx'
export { forgetBlocked } from './safety.api.ts'
