export { eraseAccount, eraseDue } from './erasure.ts'
