import { type Books, judgeBooks } from '../credits-kill/judge-books.ts'
import type { Snapshot } from '../entities/open-snapshot.ts'

/** The books, and whether each charge belongs to a turn. */
export interface Charges extends Books {
  /** Charges of turns that the oracle does not have. */
  readonly unknown: number
}

/** Compares charges with turns, beside what `judgeBooks` compares. */
export const judgeCharges = async (snapshot: Snapshot): Promise<Charges> => {
  const books = await judgeBooks(snapshot)
  const [row] = await snapshot.rows<{ value: number }>(
    'select count(*) as value from credits_charges c where not exists (select 1 from core_turns t where t.id = c.turn)',
  )
  return { ...books, unknown: Number(row?.value ?? 0) }
}
