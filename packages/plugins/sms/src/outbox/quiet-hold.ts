import type { Clock, Logger } from '@sibyl/plugin'
import type { MessageRow } from '../definitions/sms-tables.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type QuietHours, quietUntil } from '../time/quiet-hours.ts'

/**
 * Returns the end of the quiet hours that delay a message, in milliseconds since 1970; undefined if it is sent at once.
 */
export type QuietHold = (message: Pick<MessageRow, 'purpose' | 'did' | 'cause'>) => Promise<number | undefined>

/** Dependencies of the quiet hours; the time zone is for people who have not set one. */
interface QuietHoldDependencies {
  readonly quietHours: QuietHours | undefined
  readonly timeZone: string
  readonly people: SmsPeople
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Creates the check of quiet hours. It delays notices, and messages of a user to the phone of another. Answers,
 * one-time codes and receipts, which were just requested, are sent at once. The time zone is that of the phone's owner,
 * then that of the recipient of a notice.
 */
export const createQuietHold =
  ({ quietHours, timeZone, people, clock, log }: QuietHoldDependencies): QuietHold =>
  async ({ purpose, did, cause }) => {
    const waits = purpose === 'notice' || (purpose === 'person' && cause !== did)
    if (!waits || !quietHours) return undefined
    const known = await people.timeZoneOf(did, purpose === 'notice' ? cause : null).catch((error: unknown) => {
      log.warn('the time zone of a user could not be read', { error })
      return undefined
    })
    return quietUntil(quietHours, clock.now(), known ?? timeZone)
  }
