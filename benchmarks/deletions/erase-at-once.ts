import { DatabaseSync } from 'node:sqlite'
import { person } from './fill-database.ts'

/** The rows of a person, table by table. */
const statements: readonly string[] = [
  'delete from core_turn_events where turn_id in (select id from core_turns where owner = ?)',
  'delete from core_turns where owner = ?',
  'delete from core_messages where owner = ?',
  'delete from core_sessions where owner = ?',
  'delete from memory_words where person = (select person from memory_people where did = ?)',
  'delete from memory_facts where person = (select person from memory_people where did = ?)',
  'delete from memory_people where did = ?',
]

/** Erases the person with one statement a table in one transaction, overwrites what it was, and empties the log. */
export const eraseAtOnce = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return {
    async work() {
      database.exec('pragma secure_delete = on; begin immediate')
      for (const statement of statements) database.prepare(statement).run(person)
      database.exec('commit; pragma wal_checkpoint(truncate)')
    },
    async end() {
      database.close()
    },
  }
}
