import { type Retention, retain } from '@sibyl/plugin'
import type { HostLimits } from '@sibyl/plugin/host'
import { type CamelCaseStorage, deleteCounted } from '@sibyl/plugin/host'
import { threadBytes } from './thread-store.ts'
import { type OpenAiTables, responseRowBytes } from './threads-tables.ts'

const dayMs = 86_400_000

const threads = { table: 'openai_threads', key: ['owner', 'session'] } as const
const responses = { table: 'openai_responses', key: ['id'] } as const

/** Returns the retention of threads and responses that were not used for some days; their sessions stay. */
export const threadRetention = (
  storage: CamelCaseStorage<OpenAiTables>,
  limits: Pick<HostLimits, 'countStored'>,
  days: number,
): readonly Retention[] => {
  const size = `${responseRowBytes} + octet_length(input) + octet_length(output) + octet_length(body)`
  const kept = { person: 'owner', archived: true } as const
  return [
    retain(storage, {
      ...threads,
      ...kept,
      where: (eb, now) => eb('usedAt', '<', now - days * dayMs),
      counted: { limits, size: String(threadBytes) },
    }),
    retain(storage, {
      ...responses,
      ...kept,
      where: (eb, now) => eb('createdAt', '<', now - days * dayMs),
      counted: { limits, size },
    }),
  ]
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
