import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'

/** Tables of the embedded memory. */
export interface MemoryTables {
  /** People by number, so that their DID is stored once. */
  memory_people: {
    person: Generated<number>
    did: string
    /** DID whose limit the facts count toward. */
    holder: string
    /** Number of their facts. */
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
    /** Hash of the text, ignoring case, spaces and final periods; unique per person. */
    saying: string
    /** Its significant words in order, in their indexed form. */
    words: string
  }
  /** The full-text index: the stems of each fact's words, in the order of its key. */
  memory_words: { person: number; root: string; fact: number }
}

export type MemoryStorage = Host<unknown, MemoryTables>['storage']

export type MemoryTransaction = Parameters<Parameters<MemoryStorage['write']>[0]>[0]
