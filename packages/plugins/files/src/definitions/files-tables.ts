import { randomBytes } from 'node:crypto'
import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { type Migrations, sql } from '@sibyl/plugin/storage'

/** One row: the name of this database's subfolder in FILES_DIR. */
const store = defineTable('files_store', {
  store: column.text(),
  /** On PostgreSQL: name of the mark in the folder that all processes share; null before the first one. */
  mark: column.text().nullable(),
})

const people = defineTable(
  'files_people',
  {
    person: column.serial(),
    did: column.text().unique(),
    /** DID whose quota the files count toward. */
    holder: column.text().filled(),
    /** Name of their folder: a salted hash of the DID, so that it does not reveal the person. */
    folder: column.text().unique(),
    /** Number of their files and versions. */
    records: column.integer(),
  },
  { indexes: { files_people_holder: ['holder', 'records'] } },
)

/** Contents, each stored once per person, regardless of the number of files and versions with it. */
const blobs = defineTable(
  'files_blobs',
  {
    person: column.integer(),
    sha256: column.text(),
    file: column.text(),
    bytes: column.integer(),
    refs: column.integer(),
  },
  { primaryKey: ['person', 'sha256'], storedByKey: true },
)

const entries = defineTable(
  'files_entries',
  {
    entry: column.serial(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
    person: column.integer(),
    /** Key that is unique among the files of a person; see `FilePath`. */
    key: column.text(),
    path: column.text(),
    sha256: column.text(),
    bytes: column.integer(),
    media_type: column.text(),
  },
  {
    unique: { files_entries_key: ['person', 'key'] },
    indexes: { files_entries_by_time: ['person', 'updated_at', 'entry'] },
  },
)

/** States of files before they were overwritten or deleted. */
const versions = defineTable(
  'files_versions',
  {
    version: column.serial(),
    written_at: column.timestamp(),
    ended_at: column.timestamp(),
    end_reason: column.text<'replaced' | 'deleted'>(),
    person: column.integer(),
    /** Key that is unique among the files of a person; see `FilePath`. */
    key: column.text(),
    path: column.text(),
    sha256: column.text(),
    bytes: column.integer(),
    media_type: column.text(),
  },
  { indexes: { files_versions_by_end: ['ended_at'], files_versions_by_key: ['person', 'key', 'version'] } },
)

/** Reservations of space for uploads in progress, until they are stored, aborted or expired. */
const arrivals = defineTable(
  'files_arrivals',
  {
    arrival: column.text().primaryKey(),
    person: column.integer(),
    bytes: column.integer(),
    ends_at: column.timestamp(),
  },
  { indexes: { files_arrivals_by_person: ['person'] } },
)

/** The index of words: from each file's path and text. */
const words = defineTable(
  'files_words',
  {
    person: column.integer(),
    word: column.text(),
    entry: column.integer(),
  },
  { primaryKey: ['person', 'word', 'entry'], indexes: { files_words_by_entry: ['entry'] }, storedByKey: true },
)

const filesTables = [store, people, blobs, entries, versions, arrivals, words] as const

/** Moves the bytes of people to the sums of core. */
const countByCore = [
  'delete from files_arrivals',
  `insert into core_stored_bytes (kind, did, holder, origin, bytes)
    select 'files', did, coalesce(holder, did), origin, bytes from files_people where bytes > 0`,
  `insert into core_stored_sums (name, bytes)
    select 'files holder:' || holder, sum(bytes) from core_stored_bytes where kind = 'files' group by holder
    union all
    select 'files origin:' || origin, sum(bytes) from core_stored_bytes
      where kind = 'files' and origin is not null group by origin
    union all
    select 'files all:0', coalesce(sum(bytes), 0) from core_stored_bytes where kind = 'files'`,
  'drop index files_people_holder',
  'drop index files_people_origin',
  'alter table files_people drop column bytes',
  'alter table files_people drop column origin',
  'create index files_people_holder on files_people (holder, records)',
]

export const filesMigrations: Migrations = {
  '0100-base': createTables(filesTables, async db => {
    const named = await db.selectFrom('files_store').select('store').executeTakeFirst()
    if (named) return
    const store = `store-${randomBytes(8).toString('hex')}`
    await db.insertInto('files_store').values({ store }).execute()
  }),
  '0101-counted-by-core': async db => {
    const people = (await db.introspection.getTables()).find(({ name }) => name === 'files_people')
    if (!people?.columns.some(({ name }) => name === 'bytes')) return
    for (const statement of countByCore) await sql.raw(statement).execute(db)
  },
}

/** Tables of the plugin. Times are milliseconds since 1970. */
export type FilesTables = TablesOf<typeof filesTables>

export type FilesStorage = Host<unknown, FilesTables>['storage']

export type FilesTransaction = Parameters<Parameters<FilesStorage['write']>[0]>[0]
