import { type ColumnTypes, sql } from '@sibyl/plugin/storage'

/** One statement of the database. */
type Guard = ReturnType<typeof sql>

/**
 * Has the database itself refuse every change of a transaction that is written.
 *
 * @returns the statements, in their order
 */
export const ledgerGuards = (engine: ColumnTypes['engine']): readonly Guard[] =>
  engine === 'postgres' ? postgresGuards : sqliteGuards

const sqliteGuards = ['update', 'delete'].map(
  change => sql`create trigger ${sql.raw(`credits_kept_at_${change}`)} before ${sql.raw(change)} on credits_transactions
    begin select raise(abort, 'ledger_append_only'); end`,
)

const postgresGuards = [
  sql`create function credits_refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'ledger_append_only' using errcode = 'check_violation';
    end $$`,
  sql`create trigger credits_kept before update or delete on credits_transactions
    for each row execute function credits_refuse_change()`,
]
