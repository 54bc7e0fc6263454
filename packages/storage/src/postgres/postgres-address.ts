import type { ClientConfig } from 'pg'
import { storageErrors } from '../errors/storage-errors.ts'
import { readSessionOptions, type SessionSettings } from './session-settings.ts'

/** Maximum wait of a request for a session, and of a session for the server. */
export const CONNECT_TIME_LIMIT_MS = 5_000

/** Where a PostgreSQL is and what its clients need to connect. */
export interface PostgresAddress {
  /** Host and port for error texts, without user and password. */
  readonly server: string
  /** The URL without its session options and its schema. */
  readonly connectionString: string
  /** The schema of the tables, if it is not that of the server's search path. */
  readonly schema: string | undefined
  /** The session options of the URL that are set by SQL, and the search path of its schema. */
  readonly settings: SessionSettings
  /** The session options that only a startup packet can have, if any. */
  readonly options: string | undefined
}

/** The names of schemas that need no quotes, and leave room for the name of their channel. */
const schemaName = /^(?!pg_)[a-z_][a-z0-9_]{0,49}$/

/**
 * Reads a PostgreSQL URL.
 *
 * @throws `database_url_invalid` if the name of its schema is invalid
 */
export const postgresAddress = (url: URL): PostgresAddress => {
  const bare = new URL(url)
  const { settings, rest } = readSessionOptions(bare.searchParams.get('options') ?? '')
  const schema = bare.searchParams.get('schema') ?? undefined
  if (schema !== undefined && !schemaName.test(schema)) {
    const problem = 'has an invalid schema: expected a-z, 0-9 and _, a letter first, at most 50 characters'
    throw storageErrors.database_url_invalid({ problem })
  }
  bare.searchParams.delete('options')
  bare.searchParams.delete('schema')
  return {
    server: `${url.hostname || 'its socket'}${url.port && `:${url.port}`}`,
    connectionString: bare.href,
    schema,
    settings: { ...settings, ...(schema !== undefined && { search_path: schema }) },
    options: rest || undefined,
  }
}

/** Returns how a client connects. Its startup packet holds only what poolers accept, unless the URL asks for more. */
export const clientConfig = ({ connectionString, options }: PostgresAddress): ClientConfig => ({
  connectionString,
  application_name: 'sibyl',
  connectionTimeoutMillis: CONNECT_TIME_LIMIT_MS,
  ...(options !== undefined && { options }),
})
