import * as z from 'zod'

/** The value of SIBYL_TASK: what the oracle does with its database instead of booting. */
export const databaseTask = z.discriminatedUnion('task', [
  z.object({ task: z.literal('move'), to: z.string(), leaveUnknown: z.boolean() }),
  /** To a folder or an s3: URL. */
  z.object({ task: z.literal('move-files'), to: z.string() }),
  z.object({
    task: z.literal('backup'),
    /** A folder or an s3: URL. */
    folder: z.string(),
    /** A recipient of age. */
    recipient: z.string().optional(),
    leaveUnknown: z.boolean(),
  }),
  z.object({
    task: z.enum(['verify', 'restore']),
    /** A folder or an s3: URL. */
    folder: z.string(),
    /** Name of the backup. */
    at: z.string().optional(),
    /** Path of an identity file of age. */
    identity: z.string().optional(),
    replace: z.boolean(),
    leaveDamaged: z.boolean(),
  }),
])

export type DatabaseTask = z.output<typeof databaseTask>

const texts = z.array(z.string())

/** A line of an oracle to `sibyl storage move`, `backup` and `restore`. */
export const taskReport = z.union([
  z.object({
    progress: z.object({
      step: z.enum(['copy', 'compare', 'files']),
      table: z.string().optional(),
      done: z.int(),
      total: z.int(),
    }),
  }),
  z.object({
    moved: z.object({
      tables: z.array(z.object({ name: z.string(), rows: z.int(), digest: z.string() })),
      /** Unknown tables that stayed behind. */
      left: texts,
      /** Problems in equal data, such as a chain of hashes that was invalid before. */
      problems: texts,
      /** Whether DATABASE_DIRECT_URL is set, which must name the new database too. */
      hasDirectUrl: z.boolean(),
    }),
  }),
  z.object({ filesMoved: z.object({ count: z.int(), copied: z.int(), problems: texts }) }),
  z.object({
    backup: z.object({
      name: z.string(),
      engine: z.string(),
      encrypted: z.boolean(),
      databaseBytes: z.int(),
      tables: z.int(),
      rows: z.int(),
      files: z.object({ count: z.int(), copied: z.int(), deleted: z.int(), removed: z.int() }),
      problems: texts,
    }),
  }),
  z.object({
    verified: z.object({
      name: z.string(),
      createdAt: z.string(),
      engine: z.string(),
      encrypted: z.boolean(),
      /** Whether the content of the database was checked. */
      opened: z.boolean(),
      rows: z.int(),
      files: z.int(),
      problems: texts,
    }),
  }),
  z.object({
    restored: z.object({
      name: z.string(),
      createdAt: z.string(),
      rows: z.int(),
      files: z.object({ count: z.int(), copied: z.int() }),
      /** Where the replaced database is. */
      replaced: z.string().optional(),
      problems: texts,
    }),
  }),
  z.object({ failed: z.object({ code: z.string(), message: z.string() }) }),
])

export type TaskReport = z.output<typeof taskReport>
export type TaskProgress = Extract<TaskReport, { progress: unknown }>['progress']
