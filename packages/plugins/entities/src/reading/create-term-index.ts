import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { postgresTermIndex } from './postgres-term-index.ts'
import { sqliteTermIndex } from './sqlite-term-index.ts'
import type { TermIndex } from './term-index.ts'

/** The index in a database. */
export const createTermIndex = ({ engine, read }: Pick<EntitiesStorage, 'engine' | 'read'>): TermIndex =>
  engine === 'sqlite' ? sqliteTermIndex(read) : postgresTermIndex(read)
