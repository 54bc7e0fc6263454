/** Requests to addresses that a user or a model chose. */
export { checkOutboundAddress } from './check-outbound-address.ts'
export {
  createGuardedFetch,
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedRequest,
  type GuardParts,
  guardedFetch,
} from './guarded-fetch.ts'
export {
  OutboundFailed,
  OutboundRefused,
  OutboundTimeout,
  type OutboundViolation,
} from './outbound-errors.ts'
export { type SignedMessage, secretText, webhookHeaders, webhookSecret } from './webhook-signature.ts'
