import { createTables } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { creditsTables, holds } from './credits-tables.ts'

/** Statements by which SQLite rejects every change of a stored transaction, in order. */
const sqliteGuards = ['update', 'delete'].map(
  change => sql`create trigger if not exists ${sql.raw(`credits_kept_at_${change}`)}
    before ${sql.raw(change)} on credits_transactions
    begin select raise(abort, 'ledger_append_only'); end`,
)

/** The same for PostgreSQL. */
const postgresGuards = [
  sql`create or replace function credits_refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'ledger_append_only' using errcode = 'check_violation';
    end $$`,
  sql`drop trigger if exists credits_kept on credits_transactions`,
  sql`create trigger credits_kept before update or delete on credits_transactions
    for each row execute function credits_refuse_change()`,
]

export const creditsMigrations = {
  '0100-base': createTables(creditsTables, async (db, { engine }) => {
    for (const guard of engine === 'postgres' ? postgresGuards : sqliteGuards) await guard.execute(db)
  }),
  '0101-tools-of-holds': holds.addColumns('0101-tools-of-holds'),
}
