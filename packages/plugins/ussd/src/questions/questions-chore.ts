import type { Clock } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { Chore } from '../storage/upkeep.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'

/** Forgets questions and answers whose time is over. */
export const questionsChore =
  (storage: UssdStorage, clock: Clock): Chore =>
  async signal => {
    const now = clock.now()
    await deleteInParts(storage, {
      table: 'ussd_questions',
      key: ['id'],
      where: eb => eb('expires_at', '<=', now),
      signal,
    })
  }
