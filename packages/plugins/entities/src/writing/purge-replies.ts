import type { Host } from '@sibyl/core'
import { z } from 'zod'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { replyLifetimeMs } from './replies.ts'

const kind = 'entities/purge-replies'

/** So many rows go in one transaction, so that none takes long. */
const mostRows = 5_000

/** Forgets, every hour and in one of the processes that share the database, the replies that are too old. */
export const scheduleReplyPurge = async (
  jobs: Pick<Host['jobs'], 'define' | 'schedule'>,
  storage: Pick<EntitiesStorage, 'write'>,
  now: () => number,
): Promise<void> => {
  jobs.define(
    kind,
    z.object({}),
    async (_data, { signal }) => {
      let purged = mostRows
      while (purged === mostRows && !signal.aborted) purged = await purgeReplies(storage, now())
    },
    { concurrency: 1 },
  )
  await jobs.schedule(kind, '41 * * * *', 'UTC', kind, {})
}

/** Forgets at most 5,000 replies that are too old; gives how many. */
export const purgeReplies = async (storage: Pick<EntitiesStorage, 'write'>, now: number): Promise<number> =>
  storage.write(async tx => {
    const { numDeletedRows } = await tx
      .deleteFrom('entities_replies')
      .where('key', 'in', query =>
        query
          .selectFrom('entities_replies')
          .select('key')
          .where('created_at', '<=', now - replyLifetimeMs)
          .limit(mostRows),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
