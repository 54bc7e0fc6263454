import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { postgresSearchIndex } from './postgres-search-index.ts'
import type { SearchIndex } from './search-index.ts'
import { sqliteSearchIndex } from './sqlite-search-index.ts'

/** The index in a database. */
export const createSearchIndex = ({ engine, read }: EntitiesStorage): SearchIndex =>
  engine === 'sqlite' ? sqliteSearchIndex(read) : postgresSearchIndex(read)
