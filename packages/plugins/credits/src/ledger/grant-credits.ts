import { createHash, randomUUID } from 'node:crypto'
import { type Micro, microOf } from '../definitions/amounts.ts'
import { creditsErrors } from '../definitions/credits-errors.ts'

import { type CreditsStorage, decidedByRows } from './credits-tables.ts'
import { addToAvailable, personOf } from './people.ts'
import { postTransaction } from './post-transaction.ts'

/** A grant by an operator, or a deduction. */
export interface Grant {
  readonly did: string
  /** Negative for a deduction. */
  readonly amount: Micro
  readonly reason: string
  /** Two grants with the same key are one. */
  readonly idempotencyKey: string | undefined
}

/** A stored grant. */
export interface Granted {
  readonly id: string
  /** False if it was made before. */
  readonly isNew: boolean
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * Makes a grant, once for each key.
 *
 * @param now milliseconds since 1970
 * @throws `idempotency_key_reused` if the key was used with another grant
 */
export const grantCredits = (
  storage: CreditsStorage,
  { did, amount, reason, idempotencyKey }: Grant,
  now: number,
): Promise<Granted> => {
  const id = createHash('sha256')
    .update(idempotencyKey ?? randomUUID())
    .digest('base64url')
    .slice(0, 32)
  return storage.write(async tx => {
    const person = await personOf(tx, did)
    const row = await tx
      .insertInto('credits_grants')
      .values({ id, person, amount, reason, at: now })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) {
      const known = await tx.selectFrom('credits_grants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const isSame = known.person === person && microOf(known.amount) === amount && known.reason === reason
      if (!isSame) throw creditsErrors.idempotency_key_reused()
      return { id, isNew: false, at: known.at }
    }
    await addToAvailable(tx, person, amount)
    await postTransaction(tx, {
      key: `grant:${id}`,
      kind: 'grant',
      person,
      at: now,
      lines: { issued: -amount, person: amount },
    })
    return { id, isNew: true, at: now }
  }, decidedByRows)
}
