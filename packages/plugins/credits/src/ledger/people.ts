import { erasedMark } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { Micro } from '../definitions/amounts.ts'
import type { CreditsTransaction } from './credits-tables.ts'
import { postTransaction } from './post-transaction.ts'

/** Returns the number of a person, who is added if unknown. */
export const personOf = async (tx: CreditsTransaction, did: string): Promise<number> => {
  const known = await tx.selectFrom('credits_people').select('person').where('did', '=', did).executeTakeFirst()
  if (known) return known.person
  const { person } = await tx
    .insertInto('credits_people')
    .values({ did, available: 0, held: 0, typical: 0, last_hold: 0, welcomed: 0 })
    .onConflict(conflict => conflict.column('did').doUpdateSet({ did }))
    .returning('person')
    .executeTakeFirstOrThrow()
  return person
}

/** Adds to a person's credit. */
export const addToAvailable = async (tx: CreditsTransaction, person: number, amount: Micro): Promise<void> => {
  await tx
    .updateTable('credits_people')
    .set({ available: sql<bigint>`available + ${amount}` })
    .where('person', '=', person)
    .execute()
}

/** Adds a person, with the default grant if they have not had it. */
export const welcome = async (tx: CreditsTransaction, did: string, grant: Micro, at: number): Promise<void> => {
  await personOf(tx, did)
  if (grant === 0n) return
  const erased = await tx
    .selectFrom('credits_erased')
    .select('mark')
    .where('mark', '=', erasedMark(did))
    .executeTakeFirst()
  if (erased) {
    await tx.updateTable('credits_people').set({ welcomed: 1 }).where('did', '=', did).execute()
    return
  }
  const row = await tx
    .updateTable('credits_people')
    .set({ welcomed: 1, available: sql<bigint>`available + ${grant}` })
    .where(eb => eb.and({ did, welcomed: 0 }))
    .returning('person')
    .executeTakeFirst()
  if (!row) return
  const { person } = row
  await tx
    .insertInto('credits_grants')
    .values({ id: `welcome:${person}`, person, amount: grant, reason: 'The first grant', at })
    .execute()
  await postTransaction(tx, {
    key: `grant:welcome:${person}`,
    kind: 'grant',
    person,
    at,
    lines: { issued: -grant, person: grant },
  })
}
