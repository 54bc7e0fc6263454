import { type WordIndex, wordIndex } from '@sibyl/plugin'
import { searchWords } from '@sibyl/plugin/storage'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'

/** Most different words of one file that can be found. */
const mostWords = 2_000
/** Most words of a question that are looked up. */
const mostAsked = 12
/** Most files that are found by one word, and by what begins with it. */
const mostFound = 2_000

const index = (engine: FilesStorage['engine']): WordIndex =>
  wordIndex(engine, { table: 'files_words', owner: 'person', word: 'word', item: 'entry' })

/** Returns the words that a file is found by: those of its path first, then of its text. */
export const wordsOfFile = (path: string, text: string): readonly string[] =>
  [...new Set([...searchWords(path), ...searchWords(text)])].slice(0, mostWords)

/** Returns the words of a question, each once. */
export const wordsOfQuery = (query: string): readonly string[] => [...new Set(searchWords(query))].slice(0, mostAsked)

/** Puts a file's words in the place of those it had. */
export const setWords = async (
  tx: FilesTransaction,
  engine: FilesStorage['engine'],
  { person, entry, words }: { readonly person: number; readonly entry: number; readonly words: readonly string[] },
): Promise<void> => {
  const file = { owner: person, item: entry }
  await index(engine).remove(tx, file)
  await index(engine).add(tx, file, words)
}

/**
 * Returns the files that have words of a question, by how much: rare words count more, and a longer word that only begins
 * like one counts half.
 */
export const entriesWithWords = async (
  engine: FilesStorage['engine'],
  read: FilesStorage['read'],
  person: number,
  words: readonly string[],
): Promise<ReadonlyMap<number, number>> => {
  const scores = new Map<number, number>()
  const found = await index(engine).find(read, person, words, { exact: mostFound, longer: mostFound })
  for (const { exact, longer } of found.values()) {
    const weights = new Map([...longer.map(entry => [entry, 0.5] as const), ...exact.map(entry => [entry, 1] as const)])
    const worth = 1 / Math.log2(2 + weights.size)
    for (const [entry, weight] of weights) scores.set(entry, (scores.get(entry) ?? 0) + weight * worth)
  }
  return scores
}
