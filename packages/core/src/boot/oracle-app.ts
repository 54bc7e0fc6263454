import type { GivenLanguageModel } from '@sibyl/models'
import type { Clock, Logger, Manifest, OraclePlugin } from '@sibyl/plugin'
import type { CapabilityRecord } from '@sibyl/protocol'
import type { StorageError } from '@sibyl/storage'
import type { Environment } from '../config/environment.ts'
import type { OracleConfig } from '../config/oracle-config.ts'
import type { RouteRecord } from '../http/api-docs/route-record.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'

/** What `createOracleApp` takes. */
export interface OracleAppOptions {
  /** What `oracle.config.json` says; the environment goes before it. */
  readonly config?: OracleConfig
  /** The plugins to choose from. One of your own takes the place of the bundled one of the same name. */
  readonly plugins: readonly OraclePlugin[]
  /** Protocols for existing clients, chosen by ORACLE_ADAPTERS: `bundledAdapters()`. */
  readonly adapters?: readonly OraclePlugin[]
  /** Forces plugins on or off: `{ memory: false }`. */
  readonly features?: Readonly<Record<string, boolean>>
  /** Retunes manifests: `{ weather: { load: 'always' } }`. */
  readonly manifestOverrides?: Readonly<Record<string, Partial<Manifest>>>
  /** @default process.env */
  readonly env?: Environment
  /** Takes all lines, the boot log's among them. @default pino on standard output */
  readonly logger?: Logger
  /** Takes the place of the models that the environment names. */
  readonly model?: GivenLanguageModel
  /** @default the computer's clock */
  readonly clock?: Clock
}

/** Where an oracle listens. */
export interface ListeningAddress {
  readonly host: string
  readonly port: number
  /** For a browser on this computer. */
  readonly url: string
}

/** What an oracle tells its owner. */
export interface OracleEvents {
  /** It answers requests. */
  listening: ListeningAddress
  /** Nothing that plugins started is pending any more. */
  ready: { readonly durationMs: number }
  /** It has stored everything and let go of the database. */
  closed: undefined
}

/** A booted oracle. */
export interface OracleApp {
  /**
   * Answers a request without a socket of ours; for other servers.
   *
   * @param bindings clientAddress: the other end of the connection, for the rate limits; without it, and on other servers
   * than Node's, no address is counted.
   */
  fetch(request: Request, bindings?: object): Response | Promise<Response>
  /** Answers a request by path; for tests. */
  request(path: string, init?: RequestInit): Promise<Response>
  /**
   * Runs a durable job now and waits for its end; for tests. A new one with `data`; without, all of the kind that wait for
   * their time, else those that the kind's schedules make.
   *
   * @throws Error when it fails; a failed job is not tried again.
   */
  runJob(kind: string, data?: unknown): Promise<void>
  /**
   * Serves on a port.
   *
   * @throws PortInUseError `port_in_use`, ListenFailedError `listen_failed`
   */
  listen(options?: { readonly host?: string; readonly port?: number }): Promise<ListeningAddress>
  /**
   * Refuses new connections and turns at once, lets running turns end, ends the others with a final event
   * (`turn_interrupted`), stores everything and lets go. May be called twice; the first call counts.
   *
   * @param options graceMs: how long all of it may take, in milliseconds, but not less than 5 s; the last 5 s are for what
   * comes after the turns. @default SHUTDOWN_GRACE_SECONDS
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
  /** The plugins and capabilities as they are now. */
  plugins(): readonly PluginRecord[]
  /** What `GET /capabilities` answers. */
  capabilities(): readonly CapabilityRecord[]
  /** Every route it answers, core's first. */
  routes(): readonly RouteRecord[]
  /** The oracle's DIDs. */
  readonly identity: { readonly did: string | undefined; readonly publicDid: string }
  /** Resolves once nothing is pending any more; never rejects. */
  readonly ready: Promise<void>
  /**
   * Resolves when the database takes no more writes until the process restarts (`database_sync_failed`): `/health` is 503,
   * every write is refused, and the process should end. Never rejects.
   */
  readonly failed: Promise<StorageError>
  /** Calls back on an event until the returned function is called. */
  on<Name extends keyof OracleEvents>(event: Name, listener: (detail: OracleEvents[Name]) => void): () => void
}
