import type { BootProblem, LoadMode } from '@sibyl/plugin/host'

/** The first line: the version of the oracle. */
export interface HeaderFact {
  readonly kind: 'header'
  readonly version: string
  readonly name: string
  readonly environment: string
  readonly network: string
}

/** A plugin that is set up: its tools are available immediately (`loaded`) or on demand (`available`). */
export interface PluginFact {
  readonly kind: 'loaded' | 'available'
  readonly plugin: string
  readonly mode: LoadMode
  /** Undefined when they depend on the turn. */
  readonly tools?: number
  readonly routes: number
  readonly publicRoutes: number
  /** The states of its capabilities, if any. */
  readonly detail?: string
}

/** An enabled adapter. */
export interface AdapterFact {
  readonly kind: 'adapter'
  readonly plugin: string
  /** Path at which clients connect. */
  readonly endpoint: string
  readonly routes: number
}

/** A plugin excluded because of a blank opt-in variable. */
export interface ExcludedFact {
  readonly kind: 'excluded'
  readonly plugin: string
  readonly variable: string
}

/** The plugins of one kind, on one line. */
export interface ListFact {
  readonly kind: 'list'
  readonly of: 'loaded' | 'available' | 'adapter' | 'excluded'
  readonly names: readonly string[]
}

/** A route that its plugin opened by `getAuthExcludedRoutes`. */
export interface OpenedFact {
  readonly kind: 'opened'
  readonly plugin: string
  /** `GET /weather/now`. */
  readonly route: string
}

/** A plugin with a background start. */
export interface PendingFact {
  readonly kind: 'pending'
  readonly plugin: string
  readonly detail?: string
}

/** The result of a pending plugin. */
export interface SettledFact {
  readonly kind: 'settled'
  readonly plugin: string
  readonly durationMs: number
  /** `pending`: its target does not exist yet; `degraded`: its target is unreachable. */
  readonly state: 'loaded' | 'available' | 'pending' | 'degraded' | 'failed'
  /** The reason, with `failed`. */
  readonly reason?: string | undefined
  /** The states of its capabilities, if any; otherwise the reason why it is degraded. */
  readonly detail?: string
}

/** A line about the model, the database or a warning. */
export interface TextFact {
  readonly kind: 'model' | 'database' | 'access' | 'warning'
  readonly text: string
  /** True for a warning. */
  readonly warn?: boolean
}

/** The identity of the oracle. */
export interface IdentityFact {
  readonly kind: 'identity'
  /** The did:key; undefined without a signing mnemonic. */
  readonly did?: string | undefined
  readonly entityDid?: string
}

/** The address of the oracle. */
export interface ListeningFact {
  readonly kind: 'listening'
  readonly url: string
  /** Additional hints, such as `docs /docs`. */
  readonly notes?: readonly string[]
}

/** The boot is complete, including background starts. */
export interface ReadyFact {
  readonly kind: 'ready'
  /** Time until it listened. */
  readonly durationMs: number
  readonly waited?: readonly SettledFact[]
}

/** A reason why the oracle cannot start. */
export interface ProblemFact {
  readonly kind: 'problem'
  readonly problem: BootProblem
}

/** The end of a boot that failed. */
export interface VerdictFact {
  readonly kind: 'verdict'
  readonly problems: number
}

/** A fact of the boot log. */
export type BootFact =
  | HeaderFact
  | PluginFact
  | AdapterFact
  | ExcludedFact
  | ListFact
  | OpenedFact
  | PendingFact
  | SettledFact
  | TextFact
  | IdentityFact
  | ListeningFact
  | ReadyFact
  | ProblemFact
  | VerdictFact
