/**
 * The tables of this room. `entities_search` holds the words of every entity in use: on SQLite an FTS5 table by number, on
 * PostgreSQL a table with a tsvector by id. Both are written and asked in SQL of their own.
 */
export interface SearchTables {
  /** SQLite alone: numbers for FTS5, in the order in which entities came. */
  entities_search_documents: { document: number; entity_id: string }
}
