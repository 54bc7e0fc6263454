import { type Route, route } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { type OperatorLock, operatorErrors, operatorOnly } from '../operators/operator-lock.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'

export type KeyUsage = z.output<typeof keysRecord>['keys'][number]

/** Columns with key IDs: an ID, or a sealed text, which begins with the ID of its key. */
const columns = [
  { table: 'ussd_customers', column: 'key_id', sealed: false },
  { table: 'ussd_phones', column: 'key_id', sealed: false },
  { table: 'ussd_people', column: 'key_id', sealed: false },
  { table: 'ussd_attempts', column: 'key_id', sealed: false },
  { table: 'ussd_actions', column: 'key_id', sealed: false },
  { table: 'ussd_reset_codes', column: 'code', sealed: true },
  { table: 'ussd_sessions', column: 'state', sealed: true },
  { table: 'ussd_questions', column: 'question', sealed: true },
] as const

const idFrom = 'v1.'.length + 1
const idLength = 8

/** Counts the rows per key, for every known or referenced key; the current key first. */
export const keyUsage = async (storage: UssdStorage, vault: Vault): Promise<readonly KeyUsage[]> => {
  const usage = new Map<string, Record<string, number>>(vault.keyIds.map(id => [id, {}]))
  for (const { table, column, sealed } of columns) {
    const id = sealed
      ? sql<string>`substr(${sql.ref(column)}, ${idFrom}, ${idLength})`
      : sql<string>`${sql.ref(column)}`
    const { rows } = await sql<{ id: string; count: number }>`
      select id, count(*) as count from (select ${id} as id from ${sql.table(table)}) as named group by id
    `.execute(storage.read)
    for (const row of rows) usage.set(row.id, { ...usage.get(row.id), [table]: Number(row.count) })
  }
  return [...usage].map(([id, rows]) => ({
    id,
    state: id === vault.keyIds[0] ? 'current' : vault.keyIds.includes(id) ? 'old' : 'missing',
    rows,
  }))
}

const keysRecord = z.object({
  keys: z
    .array(
      z.object({
        id: z
          .string()
          .meta({ description: "A public fingerprint; the log's lines name the same", example: '5f0c9a31' }),
        state: z.enum(['current', 'old', 'missing']).meta({
          description: '`current` seals, `old` opens what it sealed, `missing` is needed by rows and not there',
        }),
        rows: z
          .record(z.string(), z.number().int())
          .meta({ description: 'How many rows need it, by table', example: { ussd_customers: 1200 } }),
      }),
    )
    .meta({
      description: 'The key of now first. An old key without rows can be taken out of `PIN_ENCRYPTION_OLD_KEYS`',
    }),
})

export const keysRoute = (storage: UssdStorage, vault: Vault, lock: OperatorLock): Route =>
  route.get(
    '/api/ussd/keys',
    {
      auth: 'own',
      summary: 'Which keys the rows of the database need',
      description: `Says when an old key is needed no more. ${operatorOnly}`,
      ok: { 200: { description: 'The keys by their ids', schema: keysRecord } },
      errors: operatorErrors,
      ...lock,
    },
    async c => c.json({ keys: await keyUsage(storage, vault) }),
  )
