import { z } from 'zod'
import { InvalidJournalError } from '../errors/transaction-errors.ts'

/**
 * Stores signed transactions by the idempotency key of their creation, so that a later call, or a later process,
 * continues with the same one. They are not secret: sending one has only the signed effect, once.
 */
export interface Journal {
  /** Returns the entry of the key, if any. */
  read(key: string): Promise<string | undefined>
  /** Keeps a text of at most 100 kB; resolves when it would survive the end of the process. */
  write(key: string, text: string): Promise<void>
}

/** A journal that ends with the process. */
export const memoryJournal = (): Journal => {
  const texts = new Map<string, string>()
  return {
    async read(key) {
      return texts.get(key)
    },
    async write(key, text) {
      texts.set(key, text)
    },
  }
}

const journalEntry = z.object({
  version: z.literal(1),
  chainId: z.string().max(50),
  address: z.string().max(100),
  /** SHA-256 of the creation. */
  creation: z.string().regex(/^[0-9a-f]{64}$/),
  sequence: z.int().nonnegative(),
  /** SHA-256 of the transaction, upper-case hex. */
  hash: z.string().regex(/^[0-9A-F]{64}$/),
  /** The signed transaction in base64. */
  transaction: z.base64(),
})

/** A signed transaction in the journal, and what it is for. */
export type JournalEntry = z.infer<typeof journalEntry>

/** @throws InvalidJournalError (`chain_journal_invalid`) */
export const readEntry = async (journal: Journal, key: string): Promise<JournalEntry | undefined> => {
  const text = await journal.read(key)
  if (text === undefined) return undefined
  try {
    return journalEntry.parse(JSON.parse(text.slice(0, 200_000)))
  } catch {
    throw new InvalidJournalError()
  }
}

/** Writes an entry before its transaction is sent. */
export const writeEntry = (journal: Journal, key: string, entry: JournalEntry): Promise<void> =>
  journal.write(key, JSON.stringify(entry))
