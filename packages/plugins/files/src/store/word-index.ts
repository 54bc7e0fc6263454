import { searchWords, sql } from '@sibyl/plugin/storage'
import type { FilesStorage, FilesTransaction } from './files-tables.ts'

/** Most different words of one file that can be found. */
const mostWords = 2_000
/** Most words of a question that are looked up. */
const mostAsked = 12
/** Of a word and what begins with it, so many files are looked at. */
const mostFound = 2_000
/** The shortest beginning that longer words are looked up by. */
const shortestBeginning = 4
const lastCharacter = '\u{10ffff}'

/** The words that a file is found by: those of its path first, then of its text. */
export const wordsOfFile = (path: string, text: string): readonly string[] =>
  [...new Set([...searchWords(path), ...searchWords(text)])].slice(0, mostWords)

/** The words of a question, each once. */
export const wordsOfQuery = (query: string): readonly string[] => [...new Set(searchWords(query))].slice(0, mostAsked)

/** Puts a file's words in the place of those it had. */
export const setWords = async (
  tx: FilesTransaction,
  engine: FilesStorage['engine'],
  { person, entry, words }: { readonly person: number; readonly entry: number; readonly words: readonly string[] },
): Promise<void> => {
  await tx.deleteFrom('files_words').where('entry', '=', entry).execute()
  if (words.length === 0) return
  const list = JSON.stringify(words)
  const rows =
    engine === 'sqlite' ? sql`json_each(${list}) as item` : sql`json_array_elements_text(${list}::json) as item(value)`
  await sql`insert into files_words (person, word, entry) select ${person}, item.value, ${entry} from ${rows}`.execute(
    tx,
  )
}

/**
 * The files that have words of a question, by how much: rare words count more, and a longer word that only begins like one
 * counts half.
 */
export const entriesWithWords = async (
  read: FilesStorage['read'],
  person: number,
  words: readonly string[],
): Promise<ReadonlyMap<number, number>> => {
  const scores = new Map<number, number>()
  const found = await Promise.all(words.map(word => entriesWith(read, person, word)))
  for (const entries of found) {
    const worth = 1 / Math.log2(2 + entries.size)
    for (const [entry, weight] of entries) scores.set(entry, (scores.get(entry) ?? 0) + weight * worth)
  }
  return scores
}

const entriesWith = async (read: FilesStorage['read'], person: number, word: string): Promise<Map<number, number>> => {
  const ofPerson = read.selectFrom('files_words').select('entry').where('person', '=', person).limit(mostFound)
  const [longer, same] = await Promise.all([
    word.length < shortestBeginning
      ? []
      : ofPerson.where('word', '>', word).where('word', '<', `${word}${lastCharacter}`).execute(),
    ofPerson.where('word', '=', word).orderBy('entry', 'desc').execute(),
  ])
  return new Map([...longer.map(one => [one.entry, 0.5] as const), ...same.map(one => [one.entry, 1] as const)])
}
