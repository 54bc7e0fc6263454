import type { HostLimits } from '@sibyl/plugin/host'
import { type CamelCaseStorage, countEarlier, deleteCounted } from '@sibyl/plugin/host'
import { threadBytes } from './thread-store.ts'
import { type OpenAiTables, responseRowBytes } from './threads-tables.ts'

/** Time for which an unused conversation goes on in its session, and a response can be read, in milliseconds. */
const keptMs = 30 * 24 * 3_600_000

const threads = { table: 'openai_threads', key: ['owner', 'session'] } as const
const responses = { table: 'openai_responses', key: ['id'] } as const

/** Deletes threads and responses that were not used for 30 days; their sessions stay. Counts those of an earlier version. */
export const forgetOld = async (
  storage: CamelCaseStorage<OpenAiTables>,
  limits: Pick<HostLimits, 'countStored'>,
  now: number,
  signal: AbortSignal,
): Promise<void> => {
  const before = now - keptMs
  await deleteCounted(storage, limits, { ...threads, where: eb => eb('usedAt', '<', before), signal })
  await deleteCounted(storage, limits, { ...responses, where: eb => eb('createdAt', '<', before), signal })
  await countEarlier(storage, limits, { ...threads, size: String(threadBytes), signal })
  const size = `${responseRowBytes} + octet_length(input) + octet_length(output) + octet_length(body)`
  await countEarlier(storage, limits, { ...responses, size, signal })
}

/** Deletes all threads and responses of a person. */
export const forgetPerson = async (
  storage: CamelCaseStorage<OpenAiTables>,
  limits: Pick<HostLimits, 'countStored'>,
  did: string,
): Promise<void> => {
  await deleteCounted(storage, limits, { ...threads, where: eb => eb('owner', '=', did), scrub: true })
  await deleteCounted(storage, limits, { ...responses, where: eb => eb('owner', '=', did), scrub: true })
  // Empties the log.
  await storage.write(tx => tx.deleteFrom('openai_responses').where('owner', '=', did).execute(), { scrub: true })
}
