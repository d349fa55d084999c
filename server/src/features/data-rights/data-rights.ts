export { eraseAccount, eraseDue } from './erasure.ts'
export { makeExport, sweepExports } from './export.ts'
export { endRetention } from './retention.ts'
