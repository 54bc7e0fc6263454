import { z } from 'zod'
import { kept } from '../memory/room-messages.ts'
import type { MatrixHost } from './matrix-tables.ts'

/** How long the events of answered messages are known, in milliseconds. */
const knownMs = 30 * 86_400_000

const tidyKind = 'matrix/tidy'

/** Lets go every day of what was answered or said long ago. */
export const scheduleTidying = async ({
  jobs,
  storage,
  clock,
}: Pick<MatrixHost, 'jobs' | 'storage' | 'clock'>): Promise<void> => {
  jobs.define(
    tidyKind,
    z.object({}),
    async () => {
      const known = clock.now() - knownMs
      const said = clock.now() - kept.ageMs
      await storage.write(async tx => {
        await tx.deleteFrom('matrix_inbox').where('state', '=', 'done').where('at', '<', known).execute()
        await tx.deleteFrom('matrix_outbox').where('state', '!=', 'waiting').where('at', '<', known).execute()
        await tx.deleteFrom('matrix_sent').where('at', '<', known).execute()
        await tx.deleteFrom('matrix_questions').where('at', '<', known).execute()
        await tx.deleteFrom('matrix_room_messages').where('at', '<', said).execute()
        await tx.deleteFrom('matrix_room_summaries').where('at', '<', said).execute()
      })
    },
    { concurrency: 1 },
  )
  await jobs.schedule(tidyKind, '23 3 * * *', 'UTC', tidyKind, {})
}
