import type { Selectable } from '@sibyl/plugin/storage'
import { formatAmount, type Micro } from '../definitions/amounts.ts'
import { ledgerErrors } from '../definitions/credits-errors.ts'
import type { CreditsTables, CreditsTransaction, LedgerAccount } from './credits-tables.ts'

/** A new transaction: its person, and the amount for each account. */
export interface NewTransaction
  extends Pick<Selectable<CreditsTables['credits_transactions']>, 'key' | 'kind' | 'person' | 'at'> {
  readonly lines: Readonly<Partial<Record<LedgerAccount, Micro>>>
}

/**
 * Writes a transaction with its lines, unless all are 0. The caller changes the balances in `credits_people` in the
 * same write.
 *
 * @throws `ledger_unbalanced` if the lines do not sum to 0
 */
export const postTransaction = async (
  tx: CreditsTransaction,
  { key, kind, person, at, lines }: NewTransaction,
): Promise<void> => {
  const { issued = 0n, unbilled = 0n, person: own = 0n, held = 0n, oracle = 0n } = lines
  const rest = issued + unbilled + own + held + oracle
  if (rest !== 0n) throw ledgerErrors.ledger_unbalanced({ key, rest: formatAmount(rest) })
  if (Object.values(lines).every(amount => amount === 0n)) return
  const to = { to_issued: issued, to_unbilled: unbilled, to_person: own, to_held: held, to_oracle: oracle }
  await tx
    .insertInto('credits_transactions')
    .values({ key, kind, person, at, ...to })
    .execute()
}
