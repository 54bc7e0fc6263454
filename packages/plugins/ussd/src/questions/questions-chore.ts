import type { Clock } from '@sibyl/core'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'

/** Forgets questions and answers whose time is over. */
export const questionsChore =
  (storage: UssdStorage, clock: Clock): Chore =>
  async () => {
    await storage.write(tx => tx.deleteFrom('ussd_questions').where('expires_at', '<=', clock.now()).execute())
  }
