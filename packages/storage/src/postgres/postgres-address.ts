import type { ClientConfig } from 'pg'
import { readSessionOptions, type SessionSettings } from './session-settings.ts'

/** Maximum wait of a request for a session, and of a session for the server. */
export const CONNECT_TIME_LIMIT_MS = 5_000

/** Where a PostgreSQL is and what its clients need to connect. */
export interface PostgresAddress {
  /** Host and port for error texts, without user and password. */
  readonly server: string
  /** The URL without its session options. */
  readonly connectionString: string
  /** The session options of the URL that are set by SQL. */
  readonly settings: SessionSettings
  /** The session options that only a startup packet can have, if any. */
  readonly options: string | undefined
}

/** Reads a PostgreSQL URL. */
export const postgresAddress = (url: URL): PostgresAddress => {
  const bare = new URL(url)
  const { settings, rest } = readSessionOptions(bare.searchParams.get('options') ?? '')
  bare.searchParams.delete('options')
  return {
    server: `${url.hostname || 'its socket'}${url.port && `:${url.port}`}`,
    connectionString: bare.href,
    settings,
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
