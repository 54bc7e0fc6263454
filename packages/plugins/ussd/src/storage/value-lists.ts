import { SealBrokenError } from '@sibyl/plugin/sealing'
import { sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from './ussd-tables.ts'

/**
 * Returns values in parentheses, for `in`. On SQLite the statement is the same for any number of them, so that it is
 * prepared once.
 */
export const among = (engine: UssdStorage['engine'], values: readonly string[]) =>
  engine === 'sqlite'
    ? sql<string>`(select value from json_each(${JSON.stringify(values)}))`
    : sql<string>`(${sql.join([...values])})`

/**
 * Maximum number of values in a statement: with several hashes each, it stays below every engine's limit of variables.
 */
const maxValues = 1_000

/** Splits a list into parts that each fit into one statement; none for an empty list. */
export function* inParts<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += maxValues) yield values.slice(from, from + maxValues)
}

/** Returns the content of a sealed row; undefined if the current keys cannot open it. */
export const openedOrUndefined = <Opened>(open: () => Opened): Opened | undefined => {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealBrokenError) return undefined
    throw error
  }
}
