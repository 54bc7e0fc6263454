import { randomUUID } from 'node:crypto'
import type { Host } from '@sibyl/core'
import type { SandboxTables } from './sandbox-tables.ts'

/** A text that is to be kept. */
export interface NewOutput {
  /** What it is: `result`, `output`, or the name of a file. */
  readonly name: string
  readonly text: string
}

/** What is kept of the programs of people. */
export interface KeptOutputs {
  /** Keeps texts for their owner; gives back their ids in the same order. */
  keep(owner: string, outputs: readonly NewOutput[]): Promise<readonly string[]>
  /** A text of this owner that is not expired. */
  find(owner: string, id: string): Promise<NewOutput | undefined>
  /** Deletes what is expired. */
  sweep(): Promise<void>
}

/** How much is kept, and how long. */
export const keptLimits = {
  /** Milliseconds. */
  keptMs: 24 * 3_600_000,
  /** Texts of one owner. */
  each: 50,
  /** Characters of one owner's texts. */
  charactersEach: 5_000_000,
} as const

/** Keeps texts in the app's database: they outlive a restart, and any process on it can read them. The oldest of an owner go first. */
export const createKeptOutputs = ({
  storage,
  clock,
}: Pick<Host<unknown, SandboxTables>, 'storage' | 'clock'>): KeptOutputs => {
  const freshSince = () => clock.now() - keptLimits.keptMs
  return {
    keep: (owner, outputs) =>
      storage.write(async tx => {
        const keptAt = clock.now()
        const rows = outputs.map(({ name, text }) => {
          const whole = text.replaceAll('\0', '').toWellFormed()
          return { id: randomUUID(), owner, name, text: whole, characters: whole.length, kept_at: keptAt }
        })
        if (rows.length === 0) return []
        await tx.insertInto('sandbox_outputs').values(rows).execute()
        const all = await tx
          .selectFrom('sandbox_outputs')
          .select(['id', 'characters'])
          .where('owner', '=', owner)
          .orderBy('kept_at', 'desc')
          .orderBy('id')
          .execute()
        const isNew = new Set<string>(rows.map(({ id }) => id))
        const newestFirst = [...all.filter(({ id }) => isNew.has(id)), ...all.filter(({ id }) => !isNew.has(id))]
        let characters = 0
        const tooMany = newestFirst.filter((row, index) => {
          characters += row.characters
          return index >= keptLimits.each || characters > keptLimits.charactersEach
        })
        const old = tooMany.map(({ id }) => id)
        if (old.length > 0) await tx.deleteFrom('sandbox_outputs').where('id', 'in', old).execute()
        return rows.map(({ id }) => id)
      }),
    find: (owner, id) =>
      storage.read
        .selectFrom('sandbox_outputs')
        .select(['name', 'text'])
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('kept_at', '>', freshSince())
        .executeTakeFirst(),
    sweep: async () => {
      await storage.write(tx => tx.deleteFrom('sandbox_outputs').where('kept_at', '<=', freshSince()).execute())
    },
  }
}
