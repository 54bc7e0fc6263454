import { type AnyTransaction, type Engine, sql } from '@sibyl/storage'
import type { Kysely, Transaction } from 'kysely'

/** Table of an index: one row for each word of each item. Its key is the owner, the word and the item, in that order. */
export interface WordIndexTable {
  readonly table: string
  /** Column of the owner, a number; only items of one owner are found together. */
  readonly owner: string
  /** Column of the word. */
  readonly word: string
  /** Column of the item, a number; newer items have greater ones. */
  readonly item: string
}

/** Limits of a search. */
export interface WordSearchLimits {
  /** Most items with a word; the newest are found. @default 1_000 */
  readonly exact?: number
  /** Most items with a longer word that begins with it. @default 200 */
  readonly longer?: number
}

/** Items that have a word. */
export interface WordMatches {
  /** Items with the word, the newest first. */
  readonly exact: readonly number[]
  /** Some items with a longer word that begins with it; none for words below four characters. */
  readonly longer: readonly number[]
}

/** An item and whose it is. */
export interface IndexedItem {
  readonly owner: number
  readonly item: number
}

/** A database that an index reads or writes, whatever its tables. */
type Database = Pick<Transaction<never> | Kysely<never>, 'getExecutor'>

/** Words of items in a table of a plugin. */
export interface WordIndex {
  /** Adds words to an item, each once, which it does not have yet. */
  add(tx: AnyTransaction, item: IndexedItem, words: readonly string[]): Promise<void>
  /** Removes words from an item; without `words` all of them, for which the item's column needs an index. */
  remove(tx: AnyTransaction, item: IndexedItem, words?: readonly string[]): Promise<void>
  /** Returns the items of an owner that have each of the words, in one statement that reads the index alone. */
  find(read: Database, owner: number, words: readonly string[], limits?: WordSearchLimits): Promise<WordMatchesByWord>
}

/** Matches by the word that was looked for; a word that no item has is there as well. */
export type WordMatchesByWord = ReadonlyMap<string, WordMatches>

/** The shortest beginning by which longer words are found. */
const shortestBeginning = 4
const lastCharacter = '\u{10ffff}'

/**
 * Creates an index of words on SQLite or PostgreSQL.
 *
 * @example
 * const words = wordIndex('sqlite', { table: 'ports_words', owner: 'person', word: 'word', item: 'note' })
 * await words.add(tx, { owner: 7, item: 12 }, [...new Set(searchWords('High water'))])
 * const found = await words.find(storage.read, 7, searchWords('waters'))
 */
export const wordIndex = (engine: Engine, { table, owner, word, item }: WordIndexTable): WordIndex => {
  const isSqlite = engine === 'sqlite'
  const [rows, ownerColumn, wordColumn, itemColumn] = [sql.table(table), sql.ref(owner), sql.ref(word), sql.ref(item)]
  const joined = isSqlite ? sql`group_concat(found)` : sql`string_agg(found::text, ',')`
  const texts = (list: readonly string[]) =>
    isSqlite
      ? sql`json_each(${JSON.stringify(list)}) as item`
      : sql`json_array_elements_text(${JSON.stringify(list)}::json) as item(value)`
  /** A member of a pair, compared by bytes as the columns are. */
  const member = (place: number) =>
    isSqlite
      ? sql<string>`(item.value ->> ${sql.lit(place)})`
      : sql<string>`((item.value ->> ${sql.lit(place)}) collate "C")`
  return {
    async add(tx, { owner: of, item: which }, words) {
      if (words.length === 0) return
      await sql`
        insert into ${rows} (${ownerColumn}, ${wordColumn}, ${itemColumn})
        select ${of}, item.value, ${which} from ${texts(words)}`.execute(tx as Transaction<never>)
    },
    async remove(tx, { owner: of, item: which }, words) {
      const chosen = words
        ? sql`and ${wordColumn} in (select ${isSqlite ? sql`value` : sql`item.value collate "C"`} from ${texts(words)})`
        : sql``
      await sql`
        delete from ${rows} where ${ownerColumn} = ${of} and ${itemColumn} = ${which} ${chosen}`.execute(
        tx as Transaction<never>,
      )
    },
    async find(read, of, words, { exact = 1_000, longer = 200 } = {}) {
      if (words.length === 0) return new Map()
      const pairs = words.map(one => [one, one.length < shortestBeginning ? one : `${one}${lastCharacter}`])
      const list = JSON.stringify(pairs)
      const { rows: found } = await sql<{ word: string; exact: string | null; longer: string | null }>`
        select ${member(0)} as word,
          (select ${joined} from (
            select ${itemColumn} as found from ${rows} where ${ownerColumn} = ${of} and ${wordColumn} = ${member(0)}
            order by ${itemColumn} desc limit ${exact}
          ) as matches) as exact,
          (select ${joined} from (
            select ${itemColumn} as found from ${rows}
            where ${ownerColumn} = ${of} and ${wordColumn} > ${member(0)} and ${wordColumn} < ${member(1)} limit ${longer}
          ) as matches) as longer
        from ${isSqlite ? sql`json_each(${list}) as item` : sql`json_array_elements(${list}::json) as item(value)`}
      `.execute(read as Kysely<never>)
      return new Map(
        found.map(row => [
          row.word,
          { exact: numbersOf(row.exact).toSorted((one, other) => other - one), longer: numbersOf(row.longer) },
        ]),
      )
    },
  }
}

const numbersOf = (list: string | null): readonly number[] => (list === null ? [] : list.split(',').map(Number))
