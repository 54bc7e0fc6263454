import { errorGroup } from './error-group.ts'
import { StorageError } from './storage-error.ts'

/** Errors of storage, by code. Their messages have no secret, no value and no complete path. */
export const storageErrors = errorGroup(
  {
    backup_damaged: {
      message: '{problem} Restore another backup of the folder; `sibyl restore <folder> --verify` lists all problems.',
      summary: 'A file of a backup is missing, or differs from its manifest.',
    },
    backup_refused: {
      message: '{problem} {remedy}',
      summary: 'A backup cannot be made there, or not be restored to that place.',
    },
    commit_outcome_unknown: {
      status: 503,
      message:
        'The connection to PostgreSQL at {server} was lost during a commit; it is unknown whether the write was stored. Read before you write again.',
    },
    constraint_violated: {
      status: 409,
      message: 'A write violated a {rule} constraint.',
      summary: 'A write violated a constraint of the schema.',
    },
    cron_invalid: {
      status: 400,
      message:
        "'{cron}' is not a cron pattern that ever matches. Give five fields: minute hour day month weekday, such as '0 9 * * 1'.",
    },
    database_corrupt: {
      status: 503,
      message: "The database '{file}' {problem}. Restore it from a backup, or move it away to start with an empty one.",
      summary: 'The file is damaged, or is not a SQLite database.',
    },
    database_folder_unusable: {
      message:
        "The folder '{folder}' of the database {problem}. Make it writable for this user, or set another one in DATABASE_URL.",
      summary: 'The folder of the database is missing, or cannot be used.',
    },
    database_in_use: {
      message:
        "The database '{file}' is in use by another process. SQLite supports one process: stop the other one, or set DATABASE_URL to a PostgreSQL database, which supports any number.",
    },
    database_io: {
      status: 503,
      message:
        "The disk of the database '{database}' failed; this write was not stored. Check the disk and the system log.",
    },
    database_locked: {
      status: 503,
      message:
        "The database '{file}' is locked by another program, such as a SQLite shell or a backup. Close it and try again.",
    },
    database_path_is_folder: {
      message: "'{file}' is a folder, not a database file. Set DATABASE_URL to a file, such as file:./{file}/sibyl.db.",
    },
    database_read_only: {
      status: 503,
      message: "The database '{file}' is not writable. Grant this user write permission on the file and its folder.",
    },
    database_rights_missing: {
      message:
        'PostgreSQL at {server} rejects this user: {problem}. The oracle creates its own tables: have an administrator run GRANT CONNECT, CREATE ON DATABASE <database> TO <user> and, in that database, GRANT USAGE, CREATE ON SCHEMA public TO <user>, or make the user the owner of the database.',
      summary: 'The user of `DATABASE_URL` lacks a right that the oracle needs.',
    },
    database_sync_failed: {
      status: 503,
      message:
        "The disk of the database '{database}' failed during a commit; it is unknown whether the write was stored. Check the disk and the system log, then restart.",
    },
    database_unreachable: {
      status: 503,
      message: 'PostgreSQL at {server} {problem}. Check that it is running and that DATABASE_URL is correct.',
      summary: 'PostgreSQL does not respond, rejects this user, or closed the connection before the commit.',
    },
    database_url_invalid: {
      message:
        'DATABASE_URL {problem}. Use file:./.data/sibyl.db for SQLite or postgres://user:password@host:5432/name for PostgreSQL.',
      summary: '`DATABASE_URL` is not the address of a database.',
    },
    disk_full: {
      status: 503,
      message:
        "The disk of the database '{database}' is full; this write was not stored. Free disk space; writes then work again.",
    },
    driver_missing: {
      message: `The package '{package}' is not installed; {purpose} on PostgreSQL requires it. Run: npm install {package}@"{range}"`,
      summary: 'A package that only PostgreSQL needs is not installed.',
    },
    handle_misuse: {
      message: '{method} is not available on this handle. {instead}',
      summary: 'A database handle was used for something that only the storage may do, such as `transaction()`.',
    },
    job_cancelled: { message: 'The job was canceled.' },
    job_data_invalid: {
      status: 400,
      message: "The data of a '{kind}' job {problem}.",
      summary: 'The data of a job does not match the schema of its kind, is not JSON, or is too large.',
    },
    job_kind_taken: { message: "The job kind '{kind}' is already defined. Prefix it with the name of the plugin." },
    job_kind_unknown: {
      message: "The job kind '{kind}' is not defined. Call jobs.define('{kind}', ...) before you enqueue such jobs.",
    },
    job_lease_lost: { message: 'The lease of the job expired; another process may be running it.' },
    job_timeout: { message: 'The job did not end within {timeLimitMs} ms.' },
    jobs_stopped: { message: 'The process is stopping its jobs; this one runs again later.' },
    migration_failed: { message: "The migration '{name}' of '{owner}' failed: {reason}" },
    migration_order: {
      message:
        "The migration '{name}' of '{owner}' is new but sorts before '{applied}', which is already applied. Rename it so that it sorts last.",
    },
    migration_unknown: {
      message:
        "The database has migrations of '{owner}' that this version does not know: {names}. Run the newer version that applied them, or restore an earlier backup.",
    },
    move_differs: {
      message:
        "After the move, the table '{table}' differs: {rows} rows in the source, {found} in the target. Something changed one of them meanwhile. Empty the target and move again; the source is unchanged.",
    },
    move_refused: { message: '{problem} {remedy}', summary: 'A database cannot be moved to that target.' },
    move_unfinished: {
      status: 503,
      message:
        'The database is being moved by `npx sibyl storage move`, or that was interrupted. Run the same command again to its end, then start the oracle.',
    },
    nested_use: {
      message:
        'storage.{used} was called inside storage.write, where it would read old data or wait forever. Use the transaction that the callback receives.',
    },
    object_store_clock: {
      status: 503,
      message:
        'The object store at {host} rejects the time of a request: the clock of this machine is off. Synchronize it by NTP.',
    },
    object_store_denied: {
      status: 503,
      message:
        'The object store at {host} rejects the key for the bucket {bucket} ({reason}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and that the key may read, write, delete and list.',
      summary: 'The object store rejects the access key, or the key lacks a right.',
    },
    object_store_full: {
      status: 507,
      message:
        'The object store at {host} is full ({reason}); nothing was stored. Free space there, or raise its quota.',
      summary: 'The object store has no space left, or its quota is reached.',
    },
    object_store_invalid: { message: '{problem} {remedy}', summary: 'The settings of the object store are invalid.' },
    object_store_missing: {
      status: 503,
      message:
        'The object store at {host} has no bucket {bucket} in this region ({reason}). Create it, or check AWS_ENDPOINT_URL and AWS_REGION.',
      summary: 'The bucket does not exist, or is in another region.',
    },
    object_store_unavailable: {
      status: 503,
      message: 'The object store at {host} {problem}. Check AWS_ENDPOINT_URL, the network and the store.',
      summary: 'The object store does not respond, or is overloaded.',
    },
    pooling_unsupported: {
      message: '{problem} {remedy}',
      summary: 'A pooler shares PostgreSQL sessions between connections, or keeps locks of closed ones.',
    },
    query_timeout: {
      status: 503,
      message: 'A query took too long and was canceled. Add a matching index to its table, or read fewer rows.',
    },
    read_only_access: { message: 'storage.read is read-only. Change data inside storage.write(async tx => ...).' },
    storage_closed: {
      status: 503,
      message: 'The storage is closed. Stop all its users before you close it.',
    },
    time_zone_invalid: {
      status: 400,
      message: "'{timeZone}' is not a time zone. Give a name of the IANA list, such as 'Europe/Berlin'.",
    },
    transaction_ended: {
      message: 'A transaction was used after {event}',
      summary: 'A transaction was used after its end.',
    },
    value_not_storable: {
      message: 'Parameter {position} of a query is {kind}, which cannot be stored. {remedy}',
      summary: 'A value cannot be stored in the same way on both engines.',
    },
    value_refused: {
      message:
        'PostgreSQL rejected a value for its column (SQLSTATE {sqlState}). Compare the value with the type of the column.',
    },
    write_conflict: {
      status: 503,
      message:
        'A write conflicted with other writes to the same rows in each of its {tries} tries and was not stored. Try again, or write to fewer shared rows.',
    },
    write_queue_full: {
      status: 503,
      message: 'More than {limit} writes are pending. Slow down, then try again.',
    },
    write_timeout: {
      status: 503,
      message:
        'A write was rolled back, because it took longer than {timeLimitMs} ms. Inside write, await only the database.',
    },
  },
  {
    create: (message, options) => new StorageError(message, options),
    isCreated: error => error instanceof StorageError,
    suffix: 'Error',
  },
)

/** A rule of the schema that a write can violate. */
export type Constraint = 'unique' | 'foreign_key' | 'not_null' | 'check'

/** Returns the error for a violated constraint, the same one on both engines. */
export const constraintViolated = (constraint: Constraint, options: ErrorOptions): StorageError =>
  storageErrors.constraint_violated({ rule: constraint.replace('_', ' ') }, { ...options, facts: { constraint } })

const poolingProblems = {
  shared: 'shares PostgreSQL sessions between connections, as with pool_mode = transaction or statement',
  statements: 'runs each statement in a transaction of its own, as with pool_mode = statement',
  'not reset': 'keeps the locks of closed connections, as with pool_mode = transaction or without server_reset_query',
}

/** Returns the error for a connection pooler that does not keep a PostgreSQL session for each connection. */
export const poolingUnsupported = (server: string, found: keyof typeof poolingProblems): StorageError => {
  const parts = {
    problem: `The connection pooler at ${server} ${poolingProblems[found]}. An oracle needs a session for each transaction, and one for the locks and notifications of each process.`,
    remedy:
      'Set pool_mode = transaction in PgBouncer and DATABASE_DIRECT_URL to PostgreSQL itself. Or set pool_mode = session and server_reset_query = DISCARD ALL.',
  }
  return storageErrors.pooling_unsupported(parts, { facts: { server, found, ...parts } })
}
