import type { Clock } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { resetCodeLifeMs } from './reset-codes.ts'

/** How long attempts count against somebody after the last one: longer than any lock, so that waiting gains nothing. */
const attemptsKeptMs = 30 * 86_400_000

/** Forgets attempts that are long past, and one-time codes that are over. */
export const customersChore =
  (storage: UssdStorage, clock: Clock): Chore =>
  async signal => {
    const now = clock.now()
    await deleteInParts(storage, {
      table: 'ussd_attempts',
      key: ['subject'],
      where: eb => eb('last_at', '<', now - attemptsKeptMs),
      signal,
    })
    await deleteInParts(storage, {
      table: 'ussd_reset_codes',
      key: ['subject'],
      where: eb => eb('sent_at', '<', now - resetCodeLifeMs),
      signal,
    })
  }
