import { StorageError } from './storage-error.ts'

/** `DATABASE_URL` names no engine that storage knows. The text never repeats the URL, which may hold a password. */
export class DatabaseUrlInvalidError extends StorageError {
  readonly code = 'database_url_invalid'
  constructor(problem: string) {
    super(
      `DATABASE_URL ${problem}. Use file:./.data/sibyl.db for SQLite or postgres://user:password@host:5432/name for PostgreSQL.`,
    )
  }
}

/** The folder of the database file is missing and cannot be made, or cannot be used. */
export class DatabaseFolderUnusableError extends StorageError {
  readonly code = 'database_folder_unusable'
  constructor(folder: string, problem: string, options?: ErrorOptions) {
    super(
      `The folder '${folder}' of the database ${problem}. Make it writable for this user, or set another one in DATABASE_URL.`,
      { folder },
      options,
    )
  }
}

/** The database file exists, but this process may not write it. */
export class DatabaseReadOnlyError extends StorageError {
  readonly code = 'database_read_only'
  override readonly status = 503
  constructor(file: string, options?: ErrorOptions) {
    super(
      `The database '${file}' is not writable. Grant this user write permission on the file and its folder.`,
      { file },
      options,
    )
  }
}

/** The path of the database is a folder. */
export class DatabasePathIsFolderError extends StorageError {
  readonly code = 'database_path_is_folder'
  constructor(file: string) {
    super(`'${file}' is a folder, not a database file. Set DATABASE_URL to a file, such as file:./${file}/sibyl.db.`, {
      file,
    })
  }
}

/** Another process has this SQLite file open through storage. */
export class DatabaseInUseError extends StorageError {
  readonly code = 'database_in_use'
  constructor(file: string) {
    super(
      `The database '${file}' is in use by another process. SQLite supports one process: stop the other one, or set DATABASE_URL to a PostgreSQL database, which supports any number.`,
      { file },
    )
  }
}

/** Another program holds a lock on the SQLite file for longer than storage waits. */
export class DatabaseLockedError extends StorageError {
  readonly code = 'database_locked'
  override readonly status = 503
  constructor(file: string, options?: ErrorOptions) {
    super(
      `The database '${file}' is locked by another program, such as a SQLite shell or a backup. Close it and try again.`,
      { file },
      options,
    )
  }
}

/** The file is damaged or no SQLite database at all. */
export class DatabaseCorruptError extends StorageError {
  readonly code = 'database_corrupt'
  override readonly status = 503
  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(
      `The database '${file}' ${problem}. Restore it from a backup, or move it away to start with an empty one.`,
      { file },
      options,
    )
  }
}

/** A package that only PostgreSQL needs is not installed. */
export class DriverMissingError extends StorageError {
  readonly code = 'driver_missing'
  constructor(packageName: string, purpose: string, versionRange: string, options?: ErrorOptions) {
    super(
      `The package '${packageName}' is not installed; ${purpose} on PostgreSQL requires it. Run: npm install ${packageName}@"${versionRange}"`,
      { package: packageName },
      options,
    )
  }
}

/** PostgreSQL does not answer, refuses this user, or cut the connection before the commit: nothing was changed. */
export class DatabaseUnreachableError extends StorageError {
  readonly code = 'database_unreachable'
  override readonly status = 503
  constructor(server: string, problem: string, options?: ErrorOptions) {
    super(
      `PostgreSQL at ${server} ${problem}. Check that it is running and that DATABASE_URL is correct.`,
      { server, problem },
      options,
    )
  }
}

/** The user of `DATABASE_URL` lacks a right that the oracle needs. */
export class DatabaseRightsMissingError extends StorageError {
  readonly code = 'database_rights_missing'
  constructor(server: string, problem: string, options?: ErrorOptions) {
    super(
      `PostgreSQL at ${server} rejects this user: ${problem}. The oracle creates its own tables: have an administrator run GRANT CONNECT, CREATE ON DATABASE <database> TO <user> and, in that database, GRANT USAGE, CREATE ON SCHEMA public TO <user>, or make the user the owner of the database.`,
      { server },
      options,
    )
  }
}

const poolingProblems = {
  shared: 'shares PostgreSQL sessions between connections, as with pool_mode = transaction or statement',
  'not reset': 'keeps the locks of closed connections, as with pool_mode = transaction or without server_reset_query',
}

/** A connection pooler, such as PgBouncer, does not keep a PostgreSQL session for each connection. */
export class PoolingUnsupportedError extends StorageError {
  readonly code = 'pooling_unsupported'
  /** The problem and its effect. */
  readonly problem: string
  readonly remedy: string
  constructor(server: string, found: keyof typeof poolingProblems) {
    const problem = `The connection pooler at ${server} ${poolingProblems[found]}. The processes of an oracle coordinate by locks and notifications, which require separate sessions.`
    const remedy =
      'Set pool_mode = session and server_reset_query = DISCARD ALL in PgBouncer, or set DATABASE_URL to PostgreSQL itself.'
    super(`${problem} ${remedy}`, { server, found })
    this.problem = problem
    this.remedy = remedy
  }
}
