import { type WordIndex, wordIndex } from '@sibyl/plugin'
import type { MemoryStorage } from './memory-tables.ts'

/** Creates the index of the stems of each person's facts. */
export const factWords = (engine: MemoryStorage['engine']): WordIndex =>
  wordIndex(engine, { table: 'memory_words', owner: 'person', word: 'root', item: 'fact' })
