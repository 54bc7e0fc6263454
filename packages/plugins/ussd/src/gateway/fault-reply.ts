import type { RouteRefusal } from '@sibyl/plugin'
import type { ReplyFault } from '../providers/ussd-provider.ts'

/** Reply where there is no screen to show. */
export interface FaultReply {
  readonly fault: ReplyFault
  /** For the phone, without `END`. */
  readonly text: string
  /** 200 where the phone is to show the text: many gateways show an error of their own for every other status. */
  readonly status: 200 | 403 | 429
}

const invalid: FaultReply = { fault: 'invalid', text: 'Invalid input. Please try again.', status: 200 }
const unavailable: FaultReply = {
  fault: 'unavailable',
  text: 'Service temporarily unavailable. Please try again later.',
  status: 200,
}
const rateLimited: FaultReply = {
  fault: 'rate-limited',
  text: 'Too many requests. Please try again later.',
  status: 429,
}
const refused: FaultReply = { fault: 'refused', text: 'This gateway may not call.', status: 403 }

/** Returns the reply to a refusal. */
export const faultReply = ({ status }: Pick<RouteRefusal, 'status'>): FaultReply => {
  if (status >= 500) return unavailable
  if (status === 429) return rateLimited
  return status === 403 ? refused : invalid
}
