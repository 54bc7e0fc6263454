import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { JsonValue, ServiceToken } from '@sibyl/protocol'
import type { Migrations } from '@sibyl/storage'
import type { z } from 'zod'
import type { RequiredAbility } from '../actors/holds-ability.ts'
import type { Host } from '../host/host.ts'
import type { Route } from '../routes/route.ts'
import type { Tools } from '../tools/tool.ts'
import type { Turn, TurnHooks } from '../turns/turn.ts'
import type { Manifest } from './plugin-manifest.ts'

/** A capability of its own name inside a plugin that stands for many, such as one MCP server. Its tools are named `<name>_<tool>`. */
export interface Capability {
  readonly name: string
  readonly manifest: Manifest
  tools(turn: Turn): Tools | Promise<Tools>
  state(): 'ready' | 'pending' | 'degraded'
  /** Why it is not ready, for the operator; never a secret. */
  reason?(): string | undefined
  /** The tools as they were last known, without a turn: what `GET /capabilities` counts. */
  knownTools?(): Tools
}

/** Instructions for one turn that only callers with an ability get, such as what is known about the caller. */
export interface TurnInstructions {
  /** What the caller needs: an ability, or a list of which one is enough. For others `forTurn` is not called. */
  readonly ability: RequiredAbility
  forTurn(turn: Turn): Promise<string | undefined>
}

/** A service under its token, made by `provide`. */
export type ProvidedService = readonly [ServiceToken<unknown>, unknown]

/** Offers a service to other plugins. @example services: [provide(smsSender, sender)] */
export const provide = <Service>(token: ServiceToken<Service>, service: Service): ProvidedService => [token, service]

/** What a plugin keeps of people, for their right to see it and to have it erased. */
export interface PersonalRecords {
  /** All that is kept of a person, as they may read it; undefined where that is nothing. */
  export(did: string): Promise<JsonValue | undefined>
  /**
   * Deletes it for good; may be called again. Books that must stay, such as a ledger, stay without what names the person.
   */
  erase(did: string): Promise<void>
}

/** What a plugin adds to the oracle. Everything is optional. */
export interface PluginParts {
  /** Fixed tools, or those that this turn's actor may see. */
  readonly tools?: Tools | ((turn: Turn) => Tools | Promise<Tools>)
  capabilities?(): readonly Capability[]
  readonly routes?: readonly Route[]
  /** Path at which the clients of an adapter connect: `/v1`. */
  readonly endpoint?: string
  /**
   * The routes that need no UCAN, also ones whose access is a UCAN. `*` stands for a method, for one segment of a path, and
   * at its end for one or more; it is resolved to this plugin's own routes at the start.
   * @default every route whose access is not a UCAN
   */
  getAuthExcludedRoutes?(): { readonly method: string; readonly path: string }[]
  /**
   * A text stands in the system prompt of an `always` plugin, and in the answer of `load_capability` of another. What a
   * function gives is for one turn, and follows the person's message. Use `TurnInstructions` where it holds data of the
   * caller.
   */
  readonly instructions?: string | TurnInstructions['forTurn'] | TurnInstructions
  readonly turn?: TurnHooks
  /** Wraps every call that a turn makes of the language model; the first plugin's is outermost. */
  readonly modelMiddleware?: LanguageModelV4Middleware
  readonly services?: readonly ProvidedService[]
  /** What it keeps of people: `host.people` reads and erases it with that of the others. */
  readonly personalRecords?: PersonalRecords
  /** How a plugin is that rests on something outside, just now. @default ready */
  state?(): 'ready' | 'pending' | 'degraded'
  /** Why it is not ready, for the operator; never a secret. */
  reason?(): string | undefined
  /** Runs at the end, in reverse order of setup. */
  dispose?(): Promise<void>
}

/** A zod object whose keys are environment variables. */
export type EnvSchema = z.ZodObject

/** What `definePlugin` takes. */
export interface PluginDefinition<Schema extends EnvSchema, Tables = object> {
  /** Lower case, digits and hyphens; unique in an oracle. */
  readonly name: string
  /** The plugin's own version. */
  readonly version: string
  /** The range of core versions it works with, checked at boot: '^0.1.0'. */
  readonly core: string
  readonly manifest: Manifest
  /** Its variables; every failure is listed at boot with the variable's name. */
  readonly env?: Schema
  /** Variables that switch it on: with one of them blank it is excluded. */
  readonly optIn?: readonly (keyof z.output<Schema> & string)[]
  /** Plugins it cannot work without; set up before it. */
  readonly requires?: readonly string[]
  /** Plugins it works better with; set up before it where they are there. */
  readonly uses?: readonly string[]
  /** Its tables, named with its name (hyphens as underscores) and `_` in front. */
  readonly migrations?: Migrations
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
  readonly requires: readonly string[]
  readonly uses: readonly string[]
  readonly migrations: Migrations
  /** Set by core for members of `adapters`: a protocol for clients, listed apart from the plugins. */
  readonly isAdapter?: true
  /** Set by `asBundled`: an instance of the same name replaces this one. */
  readonly bundled?: true
  setup(host: Host): PluginParts | Promise<PluginParts>
}

/** Marks a plugin as one that comes along, so that one of the same name given beside it takes its place. */
export const asBundled = (plugin: OraclePlugin): OraclePlugin => ({ ...plugin, bundled: true })

/**
 * Makes a plugin. Nothing runs until an oracle boots with it.
 *
 * @example
 * export const hello = () => definePlugin({
 *   name: 'hello', version: '0.1.0', core: '^0.1.0',
 *   manifest: { title: 'Hello', summary: 'Greets people.', whenToUse: ['someone wants to be greeted'] },
 *   setup: () => ({ tools: { greet } }),
 * })
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
  requires: definition.requires ?? [],
  uses: definition.uses ?? [],
  migrations: definition.migrations ?? {},
  setup: host => definition.setup(host as unknown as Host<z.output<Schema>, Tables>),
})
