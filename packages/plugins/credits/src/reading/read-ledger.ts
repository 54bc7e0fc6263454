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

/** Number of transactions that are read at once. */
const perPage = 500

/**
 * Yields all lines of the transactions in a period, in order, page by page.
 *
 * @param from milliseconds since 1970
 * @param to exclusive end
 */
export async function* allLines(
  { read }: Pick<CreditsStorage, 'read'>,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<readonly LedgerLine[]> {
  let after: Pick<Selectable<CreditsTables['credits_transactions']>, 'at' | 'key'> | undefined
  for (;;) {
    let query = read
      .selectFrom('credits_transactions')
      .innerJoin('credits_people', 'credits_people.person', 'credits_transactions.person')
      .selectAll('credits_transactions')
      .select('did')
      .where('at', '>=', from)
      .where('at', '<', to)
      .orderBy('at')
      .orderBy('key')
      .limit(perPage)
    const place = after
    if (place) {
      query = query.where(eb =>
        eb.or([eb('at', '>', place.at), eb.and([eb('at', '=', place.at), eb('key', '>', place.key)])]),
      )
    }
    const transactions = await query.execute()
    const last = transactions.at(-1)
    if (!last) return
    yield transactions.flatMap(({ key, kind, at, did, ...lines }) =>
      ledgerAccounts
        .map(account => ({ account, amount: microOf(lines[`to_${account}`]) }))
        .filter(({ amount }) => amount !== 0n)
        .map(({ account, amount }) => ({
          at: new Date(at).toISOString(),
          transaction: key,
          kind,
          account,
          did,
          credits: formatAmount(amount),
        })),
    )
    if (transactions.length < perPage) return
    after = last
  }
}
