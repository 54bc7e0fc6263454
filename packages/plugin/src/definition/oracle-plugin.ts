import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { ServiceToken } from '@sibyl/protocol'
import type { ContentsLocation, Migrations, Storage } from '@sibyl/storage'
import type { z } from 'zod'
import type { CredentialSource } from '../actors/credential-source.ts'
import type { RequiredAbility } from '../actors/holds-ability.ts'
import type { Host } from '../host/host.ts'
import type { Retention } from '../limits/retention.ts'
import type { PersonalData } from '../privacy/personal-data.ts'
import type { Route } from '../routes/route.ts'
import type { Tools } from '../tools/tool.ts'
import type { Turn, TurnHooks } from '../turns/turn.ts'
import type { Manifest } from './plugin-manifest.ts'

/** A named capability of a plugin with several, such as one MCP server. Its tools are named `<name>_<tool>`. */
export interface Capability {
  readonly name: string
  readonly manifest: Manifest
  tools(turn: Turn): Tools | Promise<Tools>
  state(): 'ready' | 'pending' | 'degraded'
  /** Returns the reason why it is not ready, for the operator; never a secret. */
  reason?(): string | undefined
  /** Returns the last known tools, without a turn: `GET /capabilities` counts them. */
  knownTools?(): Tools
}

/** Instructions for one turn that require an ability, such as data about the caller. */
export interface TurnInstructions {
  /** The required ability, or a list of which one is enough. For other callers `forTurn` is not called. */
  readonly ability: RequiredAbility
  forTurn(turn: Turn): Promise<string | undefined>
}

/** A service under its token, made by `provide`. */
export type ProvidedService = readonly [ServiceToken<unknown>, unknown]

/** Provides a service to other plugins. @example services: [provide(smsSender, sender)] */
export const provide = <Service>(token: ServiceToken<Service>, service: Service): ProvidedService => [token, service]

/** The addresses of people on a channel, such as phone numbers, for the operator's list of people. */
export interface PersonChannels {
  /** Returns the masked addresses of people with one, such as `+26097•••4567`, by DID. */
  of(dids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Returns the DIDs of the people with an address, as a user types it; none if it is not an address of the channel. */
  find(address: string): Promise<readonly string[]>
}

/** The names of people, for the operator. */
export interface PersonNames {
  /** Whether operators gave the names, or people chose their own. */
  readonly chosenBy: 'operator' | 'person'
  /** Returns the names of people with one, by DID. */
  of(dids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Yields all people with a name. */
  all(): AsyncIterable<{ readonly did: string; readonly name: string }>
}

/** The personal data of a plugin, for the rights of access and erasure. */
export interface PersonalRecords {
  /** Returns the stored data of a person in readable form; undefined if there is nothing. */
  export(did: string): Promise<PersonalData | undefined>
  /**
   * Deletes it permanently; may be called again. Records that must stay, such as a ledger, stay without the identity of
   * the person.
   */
  erase(did: string): Promise<void>
  /** The addresses of people, for a plugin that is a channel. */
  readonly channels?: PersonChannels
  /** The names of people, for a plugin that stores some. */
  readonly names?: PersonNames
}

/** Messages that a plugin sends without durable jobs, for the list of outboxes of the operator. */
export interface PluginOutbox {
  /** `<plugin>/<what>`; unlike the kind of any job. */
  readonly name: string
  /** Counts the pending messages and those that are no longer attempted. */
  counts(): Promise<{
    readonly pending: number
    /** Those of them that have failed at least once. */
    readonly retrying?: number | undefined
    readonly dead: number
    /** Why the latest one failed; never a secret. */
    readonly reason?: string | undefined
    /** When the first pending message was due, in milliseconds since 1970. */
    readonly firstDueAt?: number | undefined
  }>
  /** Attempts at most this many dead letters again, the oldest first. Returns their number. */
  retry(limit: number): Promise<number>
}

/** The parts of a plugin. Everything is optional. */
export interface PluginParts {
  /** Fixed tools, or those for the actor of this turn. */
  readonly tools?: Tools | ((turn: Turn) => Tools | Promise<Tools>)
  capabilities?(): readonly Capability[]
  readonly routes?: readonly Route[]
  /** Path at which the clients of an adapter connect: `/v1`. */
  readonly endpoint?: string
  /** Path of a page for people. In development `GET /` leads browsers to it. */
  readonly homePage?: string
  /**
   * Returns the routes that need no UCAN, including ones whose access is a UCAN. `*` stands for a method, for one
   * segment of a path, and at its end for one or more; it is resolved to the routes of this plugin at the start.
   * @default every route whose access is not a UCAN
   */
  getAuthExcludedRoutes?(): { readonly method: string; readonly path: string }[]
  /**
   * A string is added to the system prompt for an `always` plugin, and to the result of `load_capability` for another.
   * The result of a function is for one turn, and follows the message of the user. Use `TurnInstructions` if it
   * contains data of the caller.
   */
  readonly instructions?: string | TurnInstructions['forTurn'] | TurnInstructions
  readonly turn?: TurnHooks
  /** Wraps every model call of a turn; that of the first plugin is outermost. */
  readonly modelMiddleware?: LanguageModelV4Middleware
  readonly services?: readonly ProvidedService[]
  /** Credentials that the plugin issues, accepted wherever bearers are. */
  readonly credentials?: CredentialSource
  /** Its personal data, which `host.people` exports and erases with that of other plugins. */
  readonly personalRecords?: PersonalRecords
  /** The rows that an hourly job of the oracle deletes, made by `retain`. */
  readonly retention?: readonly Retention[]
  /** Its outboxes that are not on durable jobs, unlike those of `outbox`. */
  readonly outboxes?: readonly PluginOutbox[]
  /** Returns the current state of a plugin with external dependencies. @default ready */
  state?(): 'ready' | 'pending' | 'degraded'
  /** Returns the reason why it is not ready, for the operator; never a secret. */
  reason?(): string | undefined
  /** Runs at the shutdown, in reverse order of setup. */
  dispose?(): Promise<void>
}

/** Steps after `sibyl storage move` has copied the tables of a plugin into another database. */
export interface AfterMove<Tables = object> {
  /** Tables, and columns as `table.column`, that are not copied, because `run` fills them. */
  readonly derived?: readonly string[]
  /**
   * Fills derived data, such as an index that only one engine has, and verifies the rest. May run again after an
   * interruption. Returns problems, a sentence each.
   *
   * @param context keys: the did:keys that the oracle has signed with
   */
  run(context: {
    readonly storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>
    readonly keys: readonly string[]
  }): Promise<readonly string[]>
}

/** Returns the contents outside the database that `sibyl backup` includes; `list` reads their names from the tables. */
export type OwnedFilesOf<Env = unknown, Tables = object> = (env: Env) => ContentsLocation & {
  list(storage: Pick<Storage<Tables>, 'engine' | 'read'>): AsyncIterable<{
    /** Its path in the directory or the object store. */
    readonly path: string
    readonly bytes: number
    /** Hexadecimal. */
    readonly sha256: string
  }>
}

/** A zod object whose keys are environment variables. */
export type EnvSchema = z.ZodObject

/** Options of `definePlugin`. */
export interface PluginDefinition<Schema extends EnvSchema, Tables = object> {
  /** Lower case, digits and hyphens; unique in an oracle. */
  readonly name: string
  /** The version of the plugin. */
  readonly version: string
  /** The supported range of core versions, checked at boot: '^0.1.0'. */
  readonly core: string
  readonly manifest: Manifest
  /** Its variables; every invalid one is reported at boot. */
  readonly env?: Schema
  /** Variables that enable it: if one of them is blank, it is excluded. */
  readonly optIn?: readonly (keyof z.output<Schema> & string)[]
  /**
   * For adapters: a variable with `on` or `off` that enables it instead of ORACLE_ADAPTERS. Unset, the adapter is on in
   * development only.
   */
  readonly switch?: keyof z.output<Schema> & string
  /** Required plugins; set up before it. */
  readonly requires?: readonly string[]
  /** Optional plugins; set up before it if they are loaded. */
  readonly uses?: readonly string[]
  /** Its tables, whose names start with its name (hyphens as underscores) and `_`. */
  readonly migrations?: Migrations
  readonly afterMove?: AfterMove<Tables>
  readonly ownedFiles?: OwnedFilesOf<z.output<Schema>, Tables>
  setup(host: Host<z.output<Schema>, Tables>): PluginParts | Promise<PluginParts>
}

/** A plugin, ready for the `plugins` list of `createOracleApp`. */
export interface OraclePlugin {
  readonly name: string
  readonly version: string
  readonly core: string
  readonly manifest: Manifest
  readonly env: EnvSchema | undefined
  readonly optIn: readonly string[]
  /** The variable that enables an adapter instead of ORACLE_ADAPTERS. */
  readonly switch?: string | undefined
  readonly requires: readonly string[]
  readonly uses: readonly string[]
  readonly migrations: Migrations
  readonly afterMove?: AfterMove | undefined
  readonly ownedFiles?: OwnedFilesOf | undefined
  /** Set by core for members of `adapters`: a protocol for clients, listed apart from the plugins. */
  readonly isAdapter?: true
  /** A part of core, given in `adapters`: always on, in no list, and its routes, its only parts, belong to core. */
  readonly isPartOfCore?: true
  /** Set by `asBundled`: an instance of the same name replaces this one. */
  readonly bundled?: true
  setup(host: Host): PluginParts | Promise<PluginParts>
}

/** Marks a plugin as bundled, so that another one with the same name replaces it. */
export const asBundled = (plugin: OraclePlugin): OraclePlugin => ({ ...plugin, bundled: true })

/**
 * Defines a plugin. Nothing runs until an oracle boots with it.
 *
 * @example export const hello = () => definePlugin({
 * name: 'hello', version: '0.1.0', core: '^0.1.0',
 * manifest: { title: 'Hello', summary: 'Greets people.', whenToUse: ['someone wants to be greeted'] },
 * setup: () => ({ tools: { greet } }), })
 */
export const definePlugin = <Schema extends EnvSchema = z.ZodObject<Record<never, never>>, Tables = object>(
  definition: PluginDefinition<Schema, Tables>,
): OraclePlugin => ({
  name: definition.name,
  version: definition.version,
  core: definition.core,
  manifest: definition.manifest,
  env: definition.env,
  optIn: definition.optIn ?? [],
  switch: definition.switch,
  requires: definition.requires ?? [],
  uses: definition.uses ?? [],
  migrations: definition.migrations ?? {},
  afterMove: definition.afterMove as AfterMove | undefined,
  ownedFiles: definition.ownedFiles as OwnedFilesOf | undefined,
  setup: host => definition.setup(host as unknown as Host<z.output<Schema>, Tables>),
})
