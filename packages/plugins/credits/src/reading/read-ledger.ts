import { eachRow, isoTime } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'
import { formatAmount, microOf } from '../definitions/amounts.ts'
import {
  type CreditsStorage,
  type CreditsTables,
  type LedgerAccount,
  ledgerAccounts,
} from '../ledger/credits-tables.ts'

/** A line of the ledger for the operator. */
export interface LedgerLine {
  readonly at: string
  readonly transaction: string
  readonly kind: string
  readonly account: LedgerAccount
  /** DID of the transaction's person. */
  readonly did: string
  readonly credits: string
}

/**
 * Yields all lines of the transactions in a period, in order.
 *
 * @param from milliseconds since 1970
 * @param to exclusive end
 */
export async function* allLines(
  { read }: Pick<CreditsStorage, 'read'>,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<LedgerLine> {
  const query = read
    .selectFrom('credits_transactions')
    .innerJoin('credits_people', 'credits_people.person', 'credits_transactions.person')
    .selectAll('credits_transactions')
    .select('did')
    .where('at', '<', to)
    .orderBy('at')
    .orderBy('key')
    .limit(500)
  // A comparison of rows begins at its place in the index; SQLite reads from the start for the same with or.
  const transactions = eachRow<Transaction>(last =>
    query.where(eb => eb(eb.refTuple('at', 'key'), '>', eb.tuple(last?.at ?? from, last?.key ?? ''))).execute(),
  )
  for await (const { key, kind, at, did, ...lines } of transactions) {
    for (const account of ledgerAccounts) {
      const amount = microOf(lines[`to_${account}`])
      if (amount !== 0n) yield { at: isoTime(at), transaction: key, kind, account, did, credits: formatAmount(amount) }
    }
  }
}

type Transaction = Selectable<CreditsTables['credits_transactions']> & { readonly did: string }
