import type { Host } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import { z } from 'zod'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { replyLifetimeMs } from './replies.ts'

const kind = 'entities/purge-replies'

/** Forgets, every hour and in one of the processes that share the database, the replies that are too old. */
export const scheduleReplyPurge = async (
  jobs: Pick<Host['jobs'], 'define' | 'schedule'>,
  storage: ReplyStorage,
  now: () => number,
): Promise<void> => {
  jobs.define(
    kind,
    z.object({}),
    async (_data, { signal }) => {
      await purgeReplies(storage, now(), signal)
    },
    { concurrency: 1 },
  )
  await jobs.schedule(kind, '41 * * * *', 'UTC', kind, {})
}

/** Forgets replies that are too old; gives how many. */
export const purgeReplies = (storage: ReplyStorage, now: number, signal?: AbortSignal): Promise<number> =>
  deleteInParts(storage, {
    table: 'entities_replies',
    key: ['key'],
    where: eb => eb('created_at', '<=', now - replyLifetimeMs),
    signal,
  })

type ReplyStorage = Pick<EntitiesStorage, 'engine' | 'read' | 'write'>
