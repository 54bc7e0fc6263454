/** Requests to addresses that a user or a model chose. */
export { checkOutboundAddress } from './outbound/check-outbound-address.ts'
export {
  createGuardedFetch,
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedRequest,
  type GuardParts,
  guardedFetch,
} from './outbound/guarded-fetch.ts'
export { OutboundFailed, type OutboundFault, OutboundRefused, OutboundTimeout } from './outbound/outbound-errors.ts'
