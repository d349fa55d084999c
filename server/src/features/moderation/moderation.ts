export { record, verifyChain, watchChain } from './audit.ts'
export { claimsOn, dropClaim, forgetClaims, requireClaim } from './claims.ts'
export { queueAges } from './figures.ts'
export { noteLooks } from './looks.ts'
export { openReview } from './open-review.ts'
export type { OnReviewDecided } from './reviews.ts'
export { grantRights, revokeRights } from './rights.ts'
export { type Actor, actorOf, applyRuling, decisions, inTurn, requireOther } from './rulings.ts'
export {
  findAddress,
  findLive,
  findSanctions,
  hasBroken,
  type KeptItem,
  lockAccount,
  type Reader,
  type SanctionRow,
} from './sanctions.queries.ts'
export {
  endOverdueSanctions,
  endSanction,
  judgedView,
  mailStatement,
  requireReporting,
  sanction,
  strikesOf,
  suggestAction,
} from './sanctions.ts'
export { getStanding, mayAppeal } from './standing.ts'
