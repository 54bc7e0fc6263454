import type { Micro } from '../amounts.ts'
import { LedgerUnbalanced } from '../credits-errors.ts'
import type { CreditsTables, CreditsTransaction, LedgerAccount } from './credits-tables.ts'

/** A transaction to write: who it is about, and where the amounts go; lines of 0 are left out. */
export interface NewTransaction extends Pick<CreditsTables['credits_transactions'], 'key' | 'kind' | 'person' | 'at'> {
  readonly lines: readonly (readonly [LedgerAccount, Micro])[]
}

/**
 * Writes a transaction with its lines; one that moves nothing is not written. The balances in `credits_people` are the
 * caller's to change, in the same write.
 *
 * @throws LedgerUnbalanced `ledger_unbalanced` where the lines do not sum to 0
 */
export const postTransaction = async (
  tx: CreditsTransaction,
  { key, kind, person, at, lines }: NewTransaction,
): Promise<void> => {
  const rest = lines.reduce((sum, [, amount]) => sum + amount, 0n)
  if (rest !== 0n) throw new LedgerUnbalanced(key, rest)
  const moved = lines.filter(([, amount]) => amount !== 0n)
  if (moved.length === 0) return
  const rows = moved.map(([account, amount], place) => ({ transaction_key: key, place, account, amount }))
  await tx.insertInto('credits_lines').values(rows).execute()
  await tx.insertInto('credits_transactions').values({ key, kind, person, at }).execute()
}
