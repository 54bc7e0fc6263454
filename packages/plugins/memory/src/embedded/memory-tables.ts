import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'

/** The tables of the embedded memory. */
export interface MemoryTables {
  /** People by number, so that their DID stands once. */
  memory_people: {
    person: Generated<number>
    did: string
    /** The DID that the facts count for. */
    holder: string
    /** How many facts they have. */
    facts: number
  }
  memory_facts: {
    fact: Generated<number>
    person: number
    id: string
    text: string
    tags: JsonColumn<readonly string[]>
    importance: number
    created_at: number
    updated_at: number
    /** A hash of what it says, whatever its case, spaces and final points; unique for a person. */
    saying: string
    /** Its telling words in order, as they stand in the index by their roots. */
    words: string
  }
  /** The full-text index: the roots of each fact's words, in the order of its key. */
  memory_words: { person: number; root: string; fact: number }
}

export type MemoryStorage = Host<unknown, MemoryTables>['storage']

export type MemoryTransaction = Parameters<Parameters<MemoryStorage['write']>[0]>[0]
