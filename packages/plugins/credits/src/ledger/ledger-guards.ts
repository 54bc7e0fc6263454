import { type ColumnTypes, sql } from '@sibyl/core/storage'

/** One statement of the database. */
type Guard = ReturnType<typeof sql>

/**
 * Has the database itself refuse a transaction whose lines do not sum to 0, further lines of one that is written, and every
 * change of what is written. The lines of a transaction come before it.
 *
 * @returns the statements, in their order
 */
export const ledgerGuards = (engine: ColumnTypes['engine']): readonly Guard[] =>
  engine === 'postgres' ? postgresGuards : sqliteGuards

const sqliteGuards = [
  sql`create trigger credits_balanced before insert on credits_transactions
    when (select coalesce(sum(amount), 1) from credits_lines where transaction_key = new.key) <> 0
    begin select raise(abort, 'ledger_unbalanced'); end`,
  sql`create trigger credits_closed before insert on credits_lines
    when exists (select 1 from credits_transactions where key = new.transaction_key)
    begin select raise(abort, 'ledger_append_only'); end`,
  ...['credits_transactions', 'credits_lines'].flatMap(table =>
    ['update', 'delete'].map(
      change => sql`create trigger ${sql.raw(`${table}_${change}`)} before ${sql.raw(change)} on ${sql.raw(table)}
        begin select raise(abort, 'ledger_append_only'); end`,
    ),
  ),
]

const postgresGuards = [
  sql`create function credits_refuse_unbalanced() returns trigger language plpgsql as $$
    begin
      if (select coalesce(sum(amount), 1) from credits_lines where transaction_key = new.key) <> 0 then
        raise exception 'ledger_unbalanced' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  sql`create function credits_refuse_more_lines() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from credits_transactions where key = new.transaction_key) then
        raise exception 'ledger_append_only' using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
  sql`create function credits_refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'ledger_append_only' using errcode = 'check_violation';
    end $$`,
  sql`create trigger credits_balanced before insert on credits_transactions
    for each row execute function credits_refuse_unbalanced()`,
  sql`create trigger credits_closed before insert on credits_lines
    for each row execute function credits_refuse_more_lines()`,
  ...['credits_transactions', 'credits_lines'].map(
    table => sql`create trigger ${sql.raw(`${table}_change`)} before update or delete on ${sql.raw(table)}
      for each row execute function credits_refuse_change()`,
  ),
]
