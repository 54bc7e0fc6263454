import type { z } from 'zod'
import { storageErrors } from '../errors/storage-errors.ts'
import type { JobCall, JobKindOptions } from './jobs.ts'

const LARGEST_DATA_BYTES = 1_000_000

export interface JobKind extends Required<JobKindOptions> {
  readonly name: string
  readonly schema: z.ZodType
  run(data: unknown, call: JobCall): Promise<void>
}

/** Fills in what the definer left out. */
export const jobKind = (
  name: string,
  schema: z.ZodType,
  run: (data: never, call: JobCall) => Promise<void>,
  options: JobKindOptions = {},
): JobKind => ({
  name,
  schema,
  run: (data, call) => run(data as never, call),
  maxAttempts: options.maxAttempts ?? 5,
  backOffMs: options.backOffMs ?? 1_000,
  maxBackOffMs: options.maxBackOffMs ?? 3_600_000,
  concurrency: options.concurrency ?? 4,
  timeLimitMs: options.timeLimitMs ?? 900_000,
  purpose: options.purpose ?? 'work',
})

/**
 * Checks data by the kind's schema and returns what the schema makes of it.
 *
 * @throws `job_data_invalid`
 */
export const parseJobData = (kind: JobKind, data: unknown): unknown => {
  const result = kind.schema.safeParse(data)
  if (result.success) return result.data
  const places = result.error.issues.map(({ path, code }) => `${path.map(String).join('.') || 'the whole'} (${code})`)
  throw storageErrors.job_data_invalid({
    kind: kind.name,
    problem: `does not match its schema at ${places.slice(0, 10).join(', ')}`,
  })
}

/**
 * Checks data that is to be stored.
 *
 * @throws `job_data_invalid`
 */
export const assertJobData = (kind: JobKind, data: unknown): void => {
  parseJobData(kind, data)
  const text = asJson(data)
  if (text === undefined)
    throw storageErrors.job_data_invalid({ kind: kind.name, problem: 'cannot be serialized as JSON' })
  if (text.length > LARGEST_DATA_BYTES) {
    throw storageErrors.job_data_invalid({
      kind: kind.name,
      problem: `is larger than ${LARGEST_DATA_BYTES} characters of JSON; store it and pass its id`,
    })
  }
}

const asJson = (data: unknown): string | undefined => {
  try {
    return JSON.stringify(data)
  } catch {
    return undefined
  }
}
