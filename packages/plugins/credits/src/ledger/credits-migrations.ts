import { type ColumnTypes, type Migrations, sql } from '@sibyl/plugin/storage'
import { ledgerAccounts } from './credits-tables.ts'

/** A database statement. */
type Guard = ReturnType<typeof sql>

/** Returns the statements by which the database rejects every change of a stored transaction, in order. */
const ledgerGuards = (engine: ColumnTypes['engine']): readonly Guard[] =>
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

export const creditsMigrations: Migrations = {
  '0001-ledger': async (db, { engine, text, integer, timestamp, json, serial, storedByKey }) => {
    await db.schema
      .createTable('credits_people')
      .addColumn('person', serial)
      .addColumn('did', text, column => column.notNull().unique())
      .addColumn('available', integer, column => column.notNull())
      .addColumn('held', integer, column => column.notNull())
      .addColumn('typical', integer, column => column.notNull())
      .addColumn('last_hold', integer, column => column.notNull())
      .addColumn('welcomed', integer, column => column.notNull())
      .execute()
    const lines = ledgerAccounts.map(account => `to_${account}`)
    let transactions = db.schema
      .createTable('credits_transactions')
      .addColumn('key', text, column => column.primaryKey().notNull())
      .addColumn('kind', text, column => column.notNull())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .addCheckConstraint('credits_balanced', sql<boolean>`${sql.raw(lines.join(' + '))} = 0`)
      .modifyEnd(storedByKey)
    for (const line of lines) transactions = transactions.addColumn(line, integer, column => column.notNull())
    await transactions.execute()
    await db.schema
      .createIndex('credits_transactions_by_time')
      .on('credits_transactions')
      .columns(['at', 'key'])
      .execute()
    await db.schema
      .createTable('credits_grants')
      .addColumn('id', text, column => column.primaryKey().notNull())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('amount', integer, column => column.notNull())
      .addColumn('reason', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('credits_grants_of').on('credits_grants').columns(['person', 'at']).execute()
    await db.schema
      .createTable('credits_holds')
      .addColumn('turn', text, column => column.primaryKey().notNull())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('amount', integer, column => column.notNull())
      .addColumn('reserved', integer, column => column.notNull())
      .addColumn('budgets', integer, column => column.notNull())
      .addColumn('day', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('credits_charges')
      .addColumn('turn', text, column => column.primaryKey().notNull())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .addColumn('day', text, column => column.notNull())
      .addColumn('channel', text, column => column.notNull())
      .addColumn('model', text, column => column.notNull())
      .addColumn('input_tokens', integer, column => column.notNull())
      .addColumn('cached_tokens', integer, column => column.notNull())
      .addColumn('output_tokens', integer, column => column.notNull())
      .addColumn('tools', json, column => column.notNull())
      .addColumn('amount', integer, column => column.notNull())
      .addColumn('billed', integer, column => column.notNull())
      .addColumn('outcome', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('credits_charges_of').on('credits_charges').columns(['person', 'at', 'turn']).execute()
    await db.schema
      .createIndex('credits_charges_by_day')
      .on('credits_charges')
      .columns(['day', 'person', 'amount'])
      .execute()
    await db.schema
      .createTable('credits_days')
      .addColumn('day', text, column => column.notNull())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('charged', integer, column => column.notNull())
      .addColumn('reserved', integer, column => column.notNull())
      .addPrimaryKeyConstraint('credits_days_key', ['day', 'person'])
      .modifyEnd(storedByKey)
      .execute()
    for (const guard of ledgerGuards(engine)) await guard.execute(db)
  },
  '0002-holders-and-origins': async (db, { text, integer, storedByKey }) => {
    await db.schema.alterTable('credits_charges').addColumn('actor', integer).execute()
    await db.schema
      .createIndex('credits_charges_by_actor')
      .on('credits_charges')
      .columns(['actor', 'at', 'turn'])
      .execute()
    await db.schema.alterTable('credits_holds').addColumn('origin', text).execute()
    await db.schema
      .createTable('credits_origins')
      .addColumn('day', text, column => column.notNull())
      .addColumn('origin', text, column => column.notNull())
      .addColumn('charged', integer, column => column.notNull())
      .addColumn('reserved', integer, column => column.notNull())
      .addPrimaryKeyConstraint('credits_origins_key', ['day', 'origin'])
      .modifyEnd(storedByKey)
      .execute()
  },
  '0002-erased': async (db, { text, storedByKey }) => {
    await db.schema
      .createTable('credits_erased')
      .addColumn('mark', text, column => column.primaryKey().notNull())
      .modifyEnd(storedByKey)
      .execute()
  },
}
