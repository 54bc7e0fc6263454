import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { z } from 'zod'

/** People by number, so that their DID is stored once. */
const people = defineTable(
  'memory_people',
  {
    person: column.serial(),
    did: column.text().unique(),
    /** DID whose limit the facts count toward. */
    holder: column.text().filled(),
    /** Number of their facts. */
    facts: column.integer(),
  },
  { indexes: { memory_people_holder: ['holder'] } },
)

const facts = defineTable(
  'memory_facts',
  {
    fact: column.serial(),
    person: column.integer(),
    id: column.text(),
    text: column.text(),
    tags: column.json(z.custom<readonly string[]>()),
    importance: column.integer(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
    /** Hash of the text, ignoring case, spaces and final periods; unique per person. */
    saying: column.text(),
    /** Its significant words in order, in their indexed form. */
    words: column.text(),
  },
  {
    unique: { memory_facts_id: ['person', 'id'], memory_facts_saying: ['person', 'saying'] },
    indexes: { memory_facts_by_time: ['person', 'updated_at', 'fact'] },
  },
)

/** The full-text index: the stems of each fact's words, in the order of its key. */
const words = defineTable(
  'memory_words',
  {
    person: column.integer(),
    root: column.text(),
    fact: column.integer(),
  },
  { primaryKey: ['person', 'root', 'fact'], storedByKey: true },
)

const memoryTables = [people, facts, words] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type MemoryTables = TablesOf<typeof memoryTables>

export const memoryMigrations = { '0100-base': createTables(memoryTables) }

export type MemoryStorage = Host<unknown, MemoryTables>['storage']

export type MemoryTransaction = Parameters<Parameters<MemoryStorage['write']>[0]>[0]
