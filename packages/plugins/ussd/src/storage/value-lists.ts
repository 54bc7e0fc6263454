import { SealBrokenError } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from './ussd-tables.ts'

/** Returns values in brackets, for `in`. On SQLite the statement is the same for any number of them, so that it is prepared once. */
export const among = (engine: UssdStorage['engine'], values: readonly string[]) =>
  engine === 'sqlite'
    ? sql<string>`(select value from json_each(${JSON.stringify(values)}))`
    : sql<string>`(${sql.join([...values])})`

/**
 * Maximum number of values of a statement: with several hashes each, it stays below every engine's limit of variables.
 */
const mostValues = 1_000

/** Cuts a list into parts of which each fits into one statement; none of an empty list. */
export function* inParts<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += mostValues) yield values.slice(from, from + mostValues)
}

/** Returns what a sealed row holds; undefined where the keys of now do not open it. */
export const ifItOpens = <Opened>(open: () => Opened): Opened | undefined => {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealBrokenError) return undefined
    throw error
  }
}
