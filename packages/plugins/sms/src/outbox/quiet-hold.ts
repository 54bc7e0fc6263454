import type { Clock, Logger } from '@sibyl/plugin'
import type { MessageRow } from '../definitions/sms-tables.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type QuietHours, quietUntil } from '../time/quiet-hours.ts'

/** Returns until when the quiet hours hold a message, in milliseconds since 1970; undefined where it goes at once. */
export type QuietHold = (message: Pick<MessageRow, 'purpose' | 'did' | 'cause'>) => Promise<number | undefined>

/** Dependencies of the hold; the time zone is that of people who have said none. */
interface QuietHoldDependencies {
  readonly quietHours: QuietHours | undefined
  readonly timeZone: string
  readonly people: SmsPeople
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Makes what holds messages: notices, and what somebody sends to the phone of another. What somebody asked for just now goes
 * at once: answers, one-time codes, receipts. The time zone is that of whoever has the phone, then that of the person whom a
 * notice is for.
 */
export const createQuietHold =
  ({ quietHours, timeZone, people, clock, log }: QuietHoldDependencies): QuietHold =>
  async ({ purpose, did, cause }) => {
    const waits = purpose === 'notice' || (purpose === 'person' && cause !== did)
    if (!waits || !quietHours) return undefined
    const known = await people.timeZoneOf(did, purpose === 'notice' ? cause : null).catch((error: unknown) => {
      log.warn('the time zone of a person could not be read', { error })
      return undefined
    })
    return quietUntil(quietHours, clock.now(), known ?? timeZone)
  }
