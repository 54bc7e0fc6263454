import type { BootProblem, LoadMode } from '@sibyl/plugin'

/** The first line: what starts here. */
export interface HeaderFact {
  readonly kind: 'header'
  readonly version: string
  readonly name: string
  readonly environment: string
  readonly network: string
}

/** A plugin that is set up: the agent has its tools at once (`loaded`) or once it loads them (`available`). */
export interface PluginFact {
  readonly kind: 'loaded' | 'available'
  readonly plugin: string
  readonly mode: LoadMode
  /** Undefined when they depend on the turn. */
  readonly tools?: number
  readonly routes: number
  readonly publicRoutes: number
  /** How its capabilities stand, where it has some. */
  readonly detail?: string
}

/** A protocol for clients that is switched on. */
export interface AdapterFact {
  readonly kind: 'adapter'
  readonly plugin: string
  /** Path at which clients connect. */
  readonly endpoint: string
  readonly routes: number
}

/** A plugin left out for a blank opt-in variable. */
export interface ExcludedFact {
  readonly kind: 'excluded'
  readonly plugin: string
  readonly variable: string
}

/** A route that its plugin opened by `getAuthExcludedRoutes`. */
export interface OpenedFact {
  readonly kind: 'opened'
  readonly plugin: string
  /** `GET /weather/now`. */
  readonly route: string
}

/** A plugin that starts something which boot does not wait for. */
export interface PendingFact {
  readonly kind: 'pending'
  readonly plugin: string
  readonly detail?: string
}

/** What became of a plugin that was pending. */
export interface SettledFact {
  readonly kind: 'settled'
  readonly plugin: string
  readonly durationMs: number
  /** `pending`: what it reaches for is not there yet; `degraded`: it cannot be reached. */
  readonly state: 'loaded' | 'available' | 'pending' | 'degraded' | 'failed'
  /** With `failed`: why. */
  readonly reason?: string
  /** How its capabilities stand, where it has some; else why it is degraded. */
  readonly detail?: string
}

/** The model, the database or a word of warning. */
export interface TextFact {
  readonly kind: 'model' | 'database' | 'access' | 'warning'
  readonly text: string
  /** Whether it asks for attention. */
  readonly warn?: boolean
}

/** Who the oracle is. */
export interface IdentityFact {
  readonly kind: 'identity'
  /** The did:key; undefined without a signing mnemonic. */
  readonly did?: string
  readonly entityDid?: string
}

/** Where it answers. */
export interface ListeningFact {
  readonly kind: 'listening'
  readonly url: string
  /** What else helps, such as `docs /docs`. */
  readonly notes?: readonly string[]
}

/** All is done, what was pending included. */
export interface ReadyFact {
  readonly kind: 'ready'
  /** Until it listened. */
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

/** One thing that the boot log tells. */
export type BootFact =
  | HeaderFact
  | PluginFact
  | AdapterFact
  | ExcludedFact
  | OpenedFact
  | PendingFact
  | SettledFact
  | TextFact
  | IdentityFact
  | ListeningFact
  | ReadyFact
  | ProblemFact
  | VerdictFact
