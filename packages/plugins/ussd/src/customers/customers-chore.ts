import type { Clock } from '@sibyl/core'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { resetCodeLifeMs } from './reset-codes.ts'

/** How long attempts count against somebody after the last one: longer than any lock, so that waiting gains nothing. */
const attemptsKeptMs = 30 * 86_400_000

/** Forgets attempts that are long past, and one-time codes that are over. */
export const customersChore =
  (storage: UssdStorage, clock: Clock): Chore =>
  async () => {
    await storage.write(async tx => {
      await tx
        .deleteFrom('ussd_attempts')
        .where('last_at', '<', clock.now() - attemptsKeptMs)
        .execute()
      await tx
        .deleteFrom('ussd_reset_codes')
        .where('sent_at', '<', clock.now() - resetCodeLifeMs)
        .execute()
    })
  }
