export { BlockConfirm } from './block-confirm.tsx'
export { BlockedList } from './blocked-list.tsx'
