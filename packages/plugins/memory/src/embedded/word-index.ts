import { sql } from '@sibyl/plugin/storage'
import type { MemoryStorage, MemoryTransaction } from './memory-tables.ts'

/** Of a word that more facts have, the latest so many are looked at. */
export const mostWithWord = 1_000
/** Of longer words that begin with one, so many facts are looked at. */
const mostWithLonger = 200
/** The shortest beginning that longer words are looked up by. */
const shortestBeginning = 4
const lastCharacter = '\u{10ffff}'

/** The facts that have a word. */
export interface Postings {
  /** The latest that have it, at most `mostWithWord`. */
  readonly exact: readonly number[]
  /** Some that have a longer word which begins with it. */
  readonly longer: readonly number[]
}

/** Puts the words of a fact into the index. */
export const addWords = async (
  tx: MemoryTransaction,
  engine: MemoryStorage['engine'],
  { person, fact, roots }: { readonly person: number; readonly fact: number; readonly roots: readonly string[] },
): Promise<void> => {
  const list = JSON.stringify(roots)
  const rows =
    engine === 'sqlite' ? sql`json_each(${list}) as item` : sql`json_array_elements_text(${list}::json) as item(value)`
  await sql`insert into memory_words (person, root, fact) select ${person}, item.value, ${fact} from ${rows}`.execute(
    tx,
  )
}

/** Takes the words of a fact out of the index. */
export const removeWords = async (
  tx: MemoryTransaction,
  { person, fact, roots }: { readonly person: number; readonly fact: number; readonly roots: readonly string[] },
): Promise<void> => {
  await tx
    .deleteFrom('memory_words')
    .where('person', '=', person)
    .where('root', 'in', [...roots])
    .where('fact', '=', fact)
    .execute()
}

/** Finds by roots, in one statement that reads nothing but the index of that person. */
export const findWords = async (
  { engine, read }: Pick<MemoryStorage, 'engine' | 'read'>,
  person: number,
  roots: readonly string[],
): Promise<ReadonlyMap<string, Postings>> => {
  const list = JSON.stringify(
    roots.map(root => [root, root.length < shortestBeginning ? root : `${root}${lastCharacter}`]),
  )
  const { rows } = await sql<{ root: string; exact: string | null; longer: string | null }>`
    select ${member(engine, 0)} as root,
      (select ${joined(engine)} from (
        select fact from memory_words where person = ${person} and root = ${member(engine, 0)}
        order by fact desc limit ${mostWithWord}
      ) as found) as exact,
      (select ${joined(engine)} from (
        select fact from memory_words
        where person = ${person} and root > ${member(engine, 0)} and root < ${member(engine, 1)} limit ${mostWithLonger}
      ) as found) as longer
    from ${engine === 'sqlite' ? sql`json_each(${list}) as item` : sql`json_array_elements(${list}::json) as item(value)`}
  `.execute(read)
  return new Map(rows.map(({ root, exact, longer }) => [root, { exact: numbersOf(exact), longer: numbersOf(longer) }]))
}

/** A text of a pair of the list, compared by bytes as the columns are. */
const member = (engine: MemoryStorage['engine'], place: number) =>
  engine === 'sqlite'
    ? sql<string>`(item.value ->> ${sql.lit(place)})`
    : sql<string>`((item.value ->> ${sql.lit(place)}) collate "C")`

const joined = (engine: MemoryStorage['engine']) =>
  engine === 'sqlite' ? sql`group_concat(fact)` : sql`string_agg(fact::text, ',')`

const numbersOf = (list: string | null): readonly number[] => (list === null ? [] : list.split(',').map(Number))
