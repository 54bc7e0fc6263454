import { createHash } from 'node:crypto'
import type { EntityCreation } from '@sibyl/plugin-entities/records'
import { isObject, type JsonValue } from '@sibyl/protocol'
import { ReusedKeyError } from '../errors/transaction-errors.ts'
import type { CallTime } from './call-time.ts'
import { type Journal, type JournalEntry, readEntry, writeEntry } from './journal.ts'
import type { SignedTransaction, TransactionSender } from './transaction-sender.ts'

/** A creation that is made once for its idempotency key, however often it is asked for. */
export interface CreationOrder {
  readonly idempotencyKey: string | undefined
  readonly creation: EntityCreation
  readonly chainId: string
  readonly address: string
  readonly journal: Journal
  readonly sender: TransactionSender
  readonly time: CallTime
  /** Signs the creation again. */
  sign(): Promise<SignedTransaction>
}

/**
 * Signs a creation, keeps it in the journal, then sends it. Where the journal has one of its key, that one is sent again:
 * another is signed only when it is proven that the first can never be in a block.
 *
 * @returns what the chain answered to its messages, a `TxMsgData`
 * @throws ReusedKeyError (`idempotency_key_reused`), InvalidJournalError, and all that signing and sending throw
 */
export const createOnce = async (order: CreationOrder): Promise<Uint8Array> => {
  const { idempotencyKey: key, chainId, address, journal, sender, time, sign } = order
  const creation = createHash('sha256')
    .update(canonicalJson(order.creation as JsonValue))
    .digest('hex')
  const entry = key === undefined ? undefined : await readEntry(journal, key)
  if (entry && (entry.creation !== creation || entry.chainId !== chainId || entry.address !== address))
    throw new ReusedKeyError()
  if (entry) {
    const settlement = await sender.settle(signedOf(entry), time, remedyWith(key))
    if (settlement.state === 'included') return settlement.transaction.data
  }
  for (;;) {
    const signed = await sign()
    if (key !== undefined) {
      const { hash, sequence, bytes } = signed
      const transaction = Buffer.from(bytes).toString('base64')
      await writeEntry(journal, key, { version: 1, chainId, address, creation, sequence, hash, transaction })
    }
    const included = await sender.send(signed, time, remedyWith(key))
    if (included) return included.data
  }
}

const remedyWith = (key: string | undefined): string =>
  key === undefined
    ? 'A retry without an idempotency key would register a second one: query the chain first.'
    : 'A retry with the same idempotency key continues this one, and registers nothing twice.'

const signedOf = ({ transaction, hash, sequence }: JournalEntry): SignedTransaction => ({
  bytes: Buffer.from(transaction, 'base64'),
  hash,
  sequence,
})

/** JSON with the members of each object in order. */
const canonicalJson = (value: JsonValue): string =>
  JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
