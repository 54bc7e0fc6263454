import { randomUUID } from 'node:crypto'
import { fullOfRows, type Host, type PersonalRecords, retain } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import type { SandboxTables } from './sandbox-tables.ts'

/** A text to store. */
export interface NewOutput {
  /** Its kind: `result`, `output`, or the name of a file. */
  readonly name: string
  readonly text: string
}

export type KeptOutputs = ReturnType<typeof createKeptOutputs>

/** Limits of stored texts. */
export const keptLimits = {
  /** Milliseconds. */
  keptMs: 24 * 3_600_000,
  /** Number of texts of one holder. */
  each: 50,
  /** Characters of one holder's texts. */
  charactersEach: 5_000_000,
  /** Characters of all texts. */
  charactersOfAll: 500_000_000,
} as const

export interface KeptOutputsDependencies extends Pick<Host<unknown, SandboxTables>, 'storage' | 'clock'> {
  readonly limits: Pick<Host['limits'], 'shareOf'>
}

/**
 * Creates the store of texts in the app's database: they survive a restart, and any process on it can read them. The
 * oldest texts of a holder are deleted first.
 */
export const createKeptOutputs = (
  { storage, clock, limits }: KeptOutputsDependencies,
  charactersOfAll: number = keptLimits.charactersOfAll,
) => {
  const freshSince = () => clock.now() - keptLimits.keptMs
  return {
    /**
     * Stores texts for their owner and returns their ids in the same order; none if the space of all texts, or of the
     * owner's address, is used up.
     */
    keep: (owner: CountedActor, outputs: readonly NewOutput[]): Promise<readonly string[]> =>
      storage.write(async tx => {
        const keptAt = clock.now()
        const share = limits.shareOf(owner, charactersOfAll)
        const { holder, network: origin = null } = share
        const rows = outputs.map(({ name, text }) => {
          const whole = text.replaceAll('\0', '').toWellFormed()
          return {
            id: randomUUID(),
            owner: owner.did,
            holder,
            origin,
            name,
            text: whole,
            characters: whole.length,
            kept_at: keptAt,
          }
        })
        const added = rows.reduce((sum, { characters }) => sum + characters, 0)
        if (rows.length === 0) return []
        const sum = { column: 'characters', added }
        if (await fullOfRows(tx.selectFrom('sandbox_outputs'), share, { perHolder: Infinity, sum })) return []
        await tx.insertInto('sandbox_outputs').values(rows).execute()
        const all = await tx
          .selectFrom('sandbox_outputs')
          .select(['id', 'characters'])
          .where('holder', '=', holder)
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
    /** Returns a text of this owner that has not expired. */
    find: (owner: string, id: string): Promise<NewOutput | undefined> =>
      storage.read
        .selectFrom('sandbox_outputs')
        .select(['name', 'text'])
        .where(eb => eb.and({ id, owner }))
        .where('kept_at', '>', freshSince())
        .executeTakeFirst(),
    /** Lists all texts of this owner, oldest first. */
    async list(owner: string): Promise<readonly (NewOutput & { readonly keptAt: number })[]> {
      const rows = await storage.read
        .selectFrom('sandbox_outputs')
        .select(['name', 'text', 'kept_at'])
        .where('owner', '=', owner)
        .orderBy('kept_at')
        .orderBy('id')
        .execute()
      return rows.map(({ name, text, kept_at }) => ({ name, text, keptAt: kept_at }))
    },
    erase: async (owner: string): Promise<void> => {
      await storage.write(tx => tx.deleteFrom('sandbox_outputs').where('owner', '=', owner).execute(), { scrub: true })
    },
    retention: retain(storage, {
      table: 'sandbox_outputs',
      key: ['id'],
      where: (eb, now) => eb('kept_at', '<=', now - keptLimits.keptMs),
    }),
  }
}

/** Creates the personal records of programs' outputs, which are stored for a day. */
export const outputRecords = (outputs: Pick<KeptOutputs, 'list' | 'erase'>): PersonalRecords => ({
  async export(did) {
    const list = await outputs.list(did)
    if (list.length === 0) return undefined
    return list.map(({ name, text, keptAt }) => ({ name, text, at: new Date(keptAt).toISOString() }))
  },
  erase: did => outputs.erase(did),
})
