import { type WordIndex, wordIndex } from '@sibyl/plugin'
import { searchWords } from '@sibyl/plugin/storage'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'

/** Maximum number of indexed words of one file. */
const maxWords = 2_000
/** Maximum number of words of a query. */
const maxAsked = 12
/** Maximum number of files that match one word, and that match its prefix. */
const maxFound = 2_000

const index = (engine: FilesStorage['engine']): WordIndex =>
  wordIndex(engine, { table: 'files_words', owner: 'person', word: 'word', item: 'entry' })

/** Returns the indexed words of a file: those of its path first, then of its text. */
export const wordsOfFile = (path: string, text: string): readonly string[] =>
  [...new Set([...searchWords(path), ...searchWords(text)])].slice(0, maxWords)

/** Returns the words of a query, without duplicates. */
export const wordsOfQuery = (query: string): readonly string[] => [...new Set(searchWords(query))].slice(0, maxAsked)

/** Replaces a file's words. */
export const setWords = async (
  tx: FilesTransaction,
  engine: FilesStorage['engine'],
  { person, entry, words }: { readonly person: number; readonly entry: number; readonly words: readonly string[] },
): Promise<void> => {
  const file = { owner: person, item: entry }
  await index(engine).remove(tx, file)
  await index(engine).add(tx, file, words)
}

/** Returns the files with words of a query and their scores: rare words count more, and a prefix match counts half. */
export const entriesWithWords = async (
  engine: FilesStorage['engine'],
  read: FilesStorage['read'],
  person: number,
  words: readonly string[],
): Promise<ReadonlyMap<number, number>> => {
  const scores = new Map<number, number>()
  const found = await index(engine).find(read, person, words, { exact: maxFound, longer: maxFound })
  for (const { exact, longer } of found.values()) {
    const weights = new Map([...longer.map(entry => [entry, 0.5] as const), ...exact.map(entry => [entry, 1] as const)])
    const worth = 1 / Math.log2(2 + weights.size)
    for (const [entry, weight] of weights) scores.set(entry, (scores.get(entry) ?? 0) + weight * worth)
  }
  return scores
}
