import type { CamelCaseStorage } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import type { OpenAiTables } from './threads-tables.ts'

/** Time for which an unused conversation goes on in its session, and a response can be read, in milliseconds. */
const keptMs = 30 * 24 * 3_600_000

/** Deletes threads and responses that were not used for 30 days; their sessions stay. */
export const forgetOld = async (
  storage: CamelCaseStorage<OpenAiTables>,
  now: number,
  signal: AbortSignal,
): Promise<void> => {
  const before = now - keptMs
  await deleteInParts(storage, {
    table: 'openai_threads',
    key: ['owner', 'session'],
    where: eb => eb('usedAt', '<', before),
    signal,
  })
  await deleteInParts(storage, {
    table: 'openai_responses',
    key: ['id'],
    where: eb => eb('createdAt', '<', before),
    signal,
  })
}
