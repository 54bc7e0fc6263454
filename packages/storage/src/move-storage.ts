import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import type { OwnedFiles } from './contract/owned-files.ts'
import type { Storage } from './contract/storage.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { storageErrors } from './errors/storage-errors.ts'
import { jobMigrations } from './jobs/job-tables.ts'
import type { StorageLogger } from './logging/logger.ts'
import type { Migrations } from './migrations/migrations.ts'
import { type MoveStore, openProgress, progressTable } from './move/move-progress.ts'
import {
  countRows,
  digestOf,
  insertRows,
  type MovedTable,
  movedColumns,
  moveSerial,
  readPages,
  type TableDigest,
  tableNames,
} from './move/moved-table.ts'
import { openStorage } from './open-storage.ts'
import { restoreMigrations } from './restores/open-restore-watch.ts'
import { sql } from './sql/kysely.ts'

/** The database of `finish`: the target, after the copy. */
export type MovedStorage = Pick<Storage, 'engine' | 'read' | 'write'>

/** An owner of tables: core, or a plugin. */
export interface MoveOwner {
  readonly name: string
  readonly migrations: Migrations
  /** Tables, and columns as `table.column`, that are not copied, because `finish` fills them. */
  readonly derived?: readonly string[]
  /** Fills derived data in the target and verifies the rest; returns problems. May run again after an interruption. */
  finish?(storage: MovedStorage): Promise<readonly string[]>
  /** For backups. */
  readonly files?: OwnedFiles
}

/** Progress of a move: rows that are copied and then verified, of all tables. */
export interface MoveProgress {
  readonly step: 'copy' | 'compare'
  readonly table: string
  readonly done: number
  readonly total: number
}

export interface MoveOptions {
  readonly from: string
  readonly to: string
  /** In the order of their migrations, core first. */
  readonly owners: readonly MoveOwner[]
  /** Leaves tables behind that none of the owners has. @default they are an error */
  readonly leaveUnknown?: boolean
  readonly logger?: StorageLogger
  readonly onProgress?: (progress: MoveProgress) => void
}

const writeTimeLimitMs = 600_000
/** Tables of storage itself, which each database has its own version of. */
const ownTables = new Set(['sibyl_migrations', 'sibyl_copy', progressTable])

/**
 * Copies all tables of an oracle into an empty database, which may have the other engine, and compares both. While it
 * runs, no other process may open either. Called again after an interruption, it continues.
 *
 * @throws `move_refused`, `move_differs`, and those of `openStorage` and `storage.migrate`
 */
export const moveStorage = async (options: MoveOptions) => {
  assertDistinct(options)
  const open = (url: string) =>
    openStorage({ url, alone: true, writeTimeLimitMs, ...(options.logger && { logger: options.logger }) })
  const from = await open(options.from)
  try {
    const owners = await ownersOf(from, options.owners)
    for (const { name, migrations } of owners) await from.migrate(name, migrations)
    const to = await open(options.to)
    try {
      const source = createHash('sha256').update(placeOf(options.from)).digest('hex')
      return await copyDatabase(from, to, owners, { ...options, source })
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

const refuse = (problem: string, remedy: string): never => {
  throw storageErrors.move_refused({ problem, remedy })
}

/** Refuses databases that cannot be moved, before any of them is opened and thereby created. */
const assertDistinct = ({ from, to }: MoveOptions): void => {
  const [source, target] = [parseDatabaseUrl(from), parseDatabaseUrl(to)]
  if (source.engine === 'sqlite' && (source.path === undefined || !existsSync(source.path)))
    refuse('The oracle has no database yet.', 'Set DATABASE_URL to the target and start the oracle.')
  if (target.engine === 'sqlite' && target.path === undefined)
    refuse('A database in memory is gone after the move.', 'Name a file or a PostgreSQL database.')
  if (placeOf(from) === placeOf(to))
    refuse('The target is the database that DATABASE_URL names.', 'Name another database.')
}

/** The place of a database, the same for all ways to write its URL that can be compared without opening it. */
const placeOf = (url: string): string => {
  const location = parseDatabaseUrl(url)
  if (location.engine === 'sqlite')
    return location.path && existsSync(location.path) ? realpathSync(location.path) : `${location.path}`
  const { hostname, port, pathname, searchParams } = location.url
  return `${searchParams.get('host') ?? hostname}:${port || 5432}${pathname}`
}

/** Returns the owners whose tables the source has; those of storage are first. */
export const ownersOf = async (from: SourceDatabase, owners: readonly MoveOwner[]): Promise<readonly MoveOwner[]> => {
  const names = await tableNames(from)
  if (!names.includes('sibyl_migrations'))
    refuse('The database of DATABASE_URL has no tables of an oracle.', 'Check DATABASE_URL.')
  const { rows } = await sql<{ owner: string }>`select distinct owner from sibyl_migrations`.execute(from.read)
  const known: readonly MoveOwner[] = [
    { name: 'sibyl/jobs', migrations: jobMigrations },
    { name: 'sibyl/restores', migrations: restoreMigrations },
    ...owners,
  ]
  return known.filter(({ name }) => rows.some(({ owner }) => owner === name))
}

/** A database that is read. */
export type SourceDatabase = Pick<Storage, 'engine' | 'read'>

/**
 * Copies all tables into an empty database, and compares both.
 *
 * @param options source: identifies the source, when the copy is continued
 * @throws `move_refused`, `move_differs`
 */
export const copyDatabase = async (
  from: SourceDatabase,
  to: Storage,
  owners: readonly MoveOwner[],
  options: Pick<MoveOptions, 'leaveUnknown' | 'onProgress'> & { readonly source: string },
) => {
  const { source, leaveUnknown = false, onProgress = () => {} } = options
  const progress = await openProgress(to, source, async () => {
    for (const { name, migrations } of owners) await to.migrate(name, migrations)
  })
  const { tables, unknown } = await commonTables(from, to, owners)
  if (unknown.length > 0 && !leaveUnknown)
    refuse(
      `No plugin of this project has these tables of the database: ${unknown.join(', ')}.`,
      'Add their plugin again, or leave them behind with --leave-unknown.',
    )
  let total = 0
  for (const { name } of tables) total += await countRows(from.read, name)
  const count = (step: MoveProgress['step']) => {
    let rows = 0
    return (table: string, more: number) => {
      rows += more
      onProgress({ step, table, done: rows, total })
    }
  }
  const copied = count('copy')
  for (const table of tables) await copyTable(from, to, table, progress, copied)
  await copyRestoreTime(from, to)
  const problems: string[] = []
  for (const owner of owners) problems.push(...((await owner.finish?.(to)) ?? []))
  const checked = count('compare')
  const digests: (TableDigest & { readonly name: string })[] = []
  for (const table of tables) digests.push({ name: table.name, ...(await compare(from, to, table, checked)) })
  await progress.end()
  return {
    tables: digests,
    /** Unknown tables that stayed behind. */
    left: unknown,
    /** Problems that owners found in equal data. */
    problems,
  }
}

const commonTables = async (from: SourceDatabase, to: Storage, owners: readonly MoveOwner[]) => {
  const derived = new Set(owners.flatMap(owner => owner.derived ?? []))
  const present = new Set(await tableNames(to))
  const tables: MovedTable[] = []
  const unknown: string[] = []
  for (const name of await tableNames(from)) {
    if (ownTables.has(name) || derived.has(name)) continue
    if (!present.has(name)) {
      unknown.push(name)
      continue
    }
    const kept = new Set((await movedColumns(to, name)).map(column => column.name))
    const columns = (await movedColumns(from, name)).filter(column => !derived.has(`${name}.${column.name}`))
    tables.push({ name, columns: columns.filter(column => kept.has(column.name)) })
    unknown.push(...columns.filter(column => !kept.has(column.name)).map(column => `${name}.${column.name}`))
  }
  return { tables, unknown }
}

/** Copies a table from where an earlier run stopped, a page in each transaction. */
const copyTable = async (
  from: SourceDatabase,
  to: Storage,
  table: MovedTable,
  progress: MoveStore,
  copied: (table: string, rows: number) => void,
): Promise<void> => {
  const begun = await progress.read(table.name)
  copied(table.name, begun?.rows ?? 0)
  if (begun?.done) return
  // The rows that its migrations inserted.
  if (!begun) await to.write(tx => sql`delete from ${sql.table(table.name)}`.execute(tx))
  let rows = begun?.rows ?? 0
  for await (const page of readPages(from, table, begun?.last)) {
    rows += page.rows.length
    await to.write(async tx => {
      await insertRows(tx, table, page.rows)
      await progress.write(tx, { name: table.name, rows, last: page.last, done: false })
    })
    copied(table.name, page.rows.length)
  }
  await moveSerial(from, to, table.name)
  await to.write(tx => progress.write(tx, { name: table.name, rows, last: undefined, done: true }))
}

/**
 * The target gets a mark of its own at the first start: with that of the source, the move would count as a restore. The mark
 * of a backup is copied, so that its restore counts.
 */
const copyRestoreTime = async (from: SourceDatabase, to: Storage): Promise<void> => {
  if (!(await tableNames(from)).includes('sibyl_copy')) return
  const { rows } = await sql<{ name: string; value: string }>`select name, value from sibyl_copy
    where name = 'restored_at' or (name = 'mark' and value like 'backup %')`.execute(from.read)
  await to.write(async tx => {
    for (const { name, value } of rows)
      await sql`insert into sibyl_copy (name, value) values (${name}, ${value})
        on conflict (name) do update set value = excluded.value`.execute(tx)
  })
}

const compare = async (
  from: SourceDatabase,
  to: Storage,
  table: MovedTable,
  checked: (table: string, rows: number) => void,
): Promise<TableDigest> => {
  const [source, target] = await Promise.all([
    digestOf(from, table, rows => checked(table.name, rows)),
    digestOf(to, table, () => {}),
  ])
  if (source.digest === target.digest && source.rows === target.rows) return source
  throw storageErrors.move_differs({ table: table.name, rows: source.rows, found: target.rows })
}
