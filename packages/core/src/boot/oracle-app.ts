import type { GivenLanguageModel } from '@sibyl/models'
import type { Clock, Logger, Manifest, OraclePlugin } from '@sibyl/plugin'
import type { CapabilityRecord } from '@sibyl/protocol'
import type { StorageError } from '@sibyl/storage'
import type { Environment } from '../config/environment.ts'
import type { OracleConfig } from '../config/oracle-config.ts'
import type { RouteRecord } from '../http/route-record.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'

export interface OracleAppOptions {
  /** The content of `oracle.config.json`; the environment overrides it. */
  readonly config?: OracleConfig
  /** The available plugins. Your own plugin replaces a bundled one with the same name. */
  readonly plugins: readonly OraclePlugin[]
  /** Protocols for existing clients, chosen by ORACLE_ADAPTERS: `bundledAdapters()`. */
  readonly adapters?: readonly OraclePlugin[]
  /** Enables or disables plugins: `{ memory: false }`. */
  readonly features?: Readonly<Record<string, boolean>>
  /** Overrides manifests: `{ weather: { load: 'always' } }`. */
  readonly manifestOverrides?: Readonly<Record<string, Partial<Manifest>>>
  /** @default process.env */
  readonly env?: Environment
  /** Receives all lines, including the boot log. @default pino on standard output */
  readonly logger?: Logger
  /** Replaces the models of the environment. */
  readonly model?: GivenLanguageModel
  /** @default the clock of the computer */
  readonly clock?: Clock
}

export interface ListeningAddress {
  readonly host: string
  readonly port: number
  /** For a browser on this computer. */
  readonly url: string
}

export interface OracleEvents {
  /** Emitted when it accepts requests. */
  listening: ListeningAddress
  /** Emitted when no background start of a plugin is pending. */
  ready: { readonly durationMs: number }
  /** Emitted when it has stored everything and closed the database. */
  closed: undefined
}

/** A booted oracle. */
export interface OracleApp {
  /**
   * Answers a request without a socket; for other servers.
   *
   * @param bindings clientAddress: the address of the peer, for the rate limits; without it, and on other servers than
   * Node's, no address is counted.
   */
  fetch(request: Request, bindings?: object): Response | Promise<Response>
  /** Answers a request by path; for tests. */
  request(path: string, init?: RequestInit): Promise<Response>
  /**
   * Runs a durable job now and waits for its end; for tests. With `data` it runs a new one; without, all waiting jobs
   * of the kind, or those of its schedules.
   *
   * @throws Error when it fails; a failed job is not retried.
   */
  runJob(kind: string, data?: unknown): Promise<void>
  /**
   * Listens on a port.
   *
   * @throws `port_in_use`, `listen_failed`
   */
  listen(options?: { readonly host?: string; readonly port?: number }): Promise<ListeningAddress>
  /**
   * Rejects new connections and turns at once, lets running turns end, interrupts the others with a final event
   * (`turn_interrupted`), stores everything and closes. May be called twice; the first call counts.
   *
   * @param options graceMs: the total time limit in milliseconds, at least 5 s; the last 5 s are for the steps after
   * the turns. @default SHUTDOWN_GRACE_SECONDS
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
  /** Returns the current plugins and capabilities. */
  plugins(): readonly PluginRecord[]
  /** Returns the response of `GET /capabilities`. */
  capabilities(): readonly CapabilityRecord[]
  /** Returns every route, those of core first. */
  routes(): readonly RouteRecord[]
  /** The DIDs of the oracle. */
  readonly identity: { readonly did: string | undefined; readonly publicDid: string }
  /** Resolves once nothing is pending any more; never rejects. */
  readonly ready: Promise<void>
  /**
   * Resolves when the database stops accepting writes until a restart of the process (`database_sync_failed`):
   * `/health` is 503, every write is rejected, and the process should exit. Never rejects.
   */
  readonly failed: Promise<StorageError>
  /** Adds a listener for an event; the returned function removes it. */
  on<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void
}
