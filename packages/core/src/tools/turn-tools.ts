import { holdsAbility, isToolFailure, type Logger, type Tool, type Tools, type Turn } from '@sibyl/plugin'
import { abilitiesOf } from '@sibyl/plugin/host'
import {
  type GateFacts,
  type GateVerdict,
  judgeTool,
  shownAbilities,
  type ToolOrigin,
} from '../gate/capability-gate.ts'
import { toolViolations } from '../plugins/check-tools.ts'
import { prefixOf } from '../plugins/read-capabilities.ts'
import { withinTime } from '../time/time-limit.ts'
import type { CapabilityCatalog, CatalogEntry } from './capability-catalog.ts'

/** The time limit of a plugin's `tools`, in milliseconds. */
const toolsLimitMs = 3_000

/** Returns the text for the agent about a capability that cannot be loaded. */
const notLoaded = (name: string, state: ReturnType<CatalogEntry['state']>): string =>
  ({
    pending: `'${name}' is still starting. Continue without it, or load it again in a moment.`,
    degraded: `'${name}' does not work at the moment. Continue without it, or load it again later.`,
    ready: `'${name}' cannot be loaded at the moment. Try again later.`,
  })[state]

/** The prefix of the oracle's tools whose name a tool of the client has. */
const ownPrefix = 'oracle_'

/** The capability that client tools belong to in the gate. */
export const clientCapability = 'client'

const toolName = /^[a-z][\w-]{0,63}$/i

/** A tool with its origin. */
export interface OfferedTool {
  readonly name: string
  /** The name without the prefix that it has beside a tool of the client. */
  readonly ownName: string
  readonly tool: Tool
  readonly origin: ToolOrigin
}

/** A tool that no model can be offered, and why. */
interface LeftOutTool {
  readonly name: string
  readonly capability: string
  readonly reason: string
}

/** The reason why a capability brings no tools; written for the agent. */
interface NotLoaded {
  readonly failure: string
}

type AskedTools = { readonly tools: Tools } | NotLoaded

/** Returns whether a capability may have a tool; the names of a plugin's tools for a turn are unknown before. */
const mayHave = ({ name, owner, isFixed, fixedTools }: CatalogEntry, tool: string): boolean =>
  isFixed ? Object.hasOwn(fixedTools, tool) : name === owner || tool.startsWith(prefixOf(name))

const withoutPrefix = (name: string): string => (name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name)

/** The result of loading a capability, without the tools that are withheld from the caller. */
export type LoadedTools = { readonly added: readonly OfferedTool[] } | NotLoaded

/**
 * The tools of one turn: those of core and of every `always` capability first, then of each loaded one in the order
 * they were loaded. The list only ever grows at its end, so that provider prompt caches hold. Tools that the caller may not
 * call are left out of it.
 */
export class TurnTools {
  readonly #catalog: CapabilityCatalog
  readonly #turn: Turn
  readonly #log: Logger
  readonly #loaded = new Set<string>()
  readonly #leftOut: LeftOutTool[] = []
  /** The names of the client's tools. */
  #clientNames: ReadonlySet<string> = new Set()
  /** All tools by name, with those that are withheld. */
  readonly #tools = new Map<string, OfferedTool>()
  readonly #checked: WeakSet<Tool>
  /** With an agent, the names of the tools that it may call. */
  readonly #only: ReadonlySet<string> | undefined
  readonly #facts: GateFacts

  private constructor(catalog: CapabilityCatalog, turn: Turn, log: Logger, only?: ReadonlySet<string>) {
    this.#only = only
    this.#catalog = catalog
    this.#turn = turn
    this.#log = log
    this.#checked = catalog.checkedTools
    this.#facts = { loaded: this.#loaded, scopes: turn.actor.scopes }
  }

  /** Gathers the tools a turn begins with. */
  static async gather(
    catalog: CapabilityCatalog,
    turn: Turn,
    coreTools: (tools: TurnTools) => Tools,
    clientTools: Tools,
    log: Logger,
  ): Promise<TurnTools> {
    const tools = new TurnTools(catalog, turn, log)
    tools.#clientNames = new Set(Object.keys(clientTools))
    const own = coreTools(tools)
    for (const tool of Object.values(own)) catalog.checkedTools.add(tool)
    tools.#add(own, {
      capability: 'core',
      mode: 'always',
      asksPerson: () => false,
    })
    const entries = catalog.entries()
    const loaded = turn.session.loadedPlugins.flatMap(name => entries.find(one => one.name === name) ?? [])
    const offering = new Set([...entries.filter(({ mode }) => mode === 'always'), ...loaded])
    const asked = [...offering].map(async entry => ({ entry, made: await tools.#ask(entry) }))
    for (const { entry, made } of await Promise.all(asked)) tools.#take(entry, made)
    tools.#add(clientTools, { capability: clientCapability, mode: 'always', asksPerson: () => false })
    return tools
  }

  /**
   * Gathers the capabilities that may have the named tools, for calls without a model: other tools may be missing, and those of
   * core are.
   */
  static async gatherNamed(
    catalog: CapabilityCatalog,
    turn: Turn,
    names: readonly string[],
    log: Logger,
  ): Promise<TurnTools> {
    const tools = new TurnTools(catalog, turn, log)
    const { loadedPlugins } = turn.session
    await tools.load(
      catalog.entries().filter(entry => {
        const isOffered = entry.mode === 'always' || loadedPlugins.includes(entry.name)
        return isOffered && names.some(name => mayHave(entry, name) || mayHave(entry, withoutPrefix(name)))
      }),
    )
    return tools
  }

  /** Gathers the named tools of the capabilities that a turn has loaded, for an agent. Tools of other agents are not among them. */
  static async gatherForAgent(
    catalog: CapabilityCatalog,
    turn: Turn,
    names: readonly string[],
    log: Logger,
  ): Promise<TurnTools> {
    const tools = new TurnTools(catalog, turn, log, new Set(names))
    const entries = catalog.entries().filter(({ name }) => turn.session.loadedPlugins.includes(name))
    await tools.load(entries)
    return tools
  }

  /** The tools that no model can be offered. */
  get leftOut(): readonly LeftOutTool[] {
    return this.#leftOut
  }

  /** The tools to offer now, in their fixed order. */
  offered(): OfferedTool[] {
    return [...this.#tools.values()].filter(({ name }) => this.judge(name).allowed)
  }

  /** The tool of that name, also where the gate denies it. */
  find(name: string): OfferedTool | undefined {
    return this.#tools.get(name) ?? this.#tools.get(withoutPrefix(name))
  }

  /** The gate's verdict on a tool by name. */
  judge(name: string): GateVerdict {
    return judgeTool(this.find(name), this.#facts)
  }

  /** The tools of a loaded capability that need an ability which the caller does not hold. */
  withheld(capability: string): OfferedTool[] {
    return [...this.#tools.values()].filter(
      ({ name, origin }) => origin.capability === capability && !this.judge(name).allowed,
    )
  }

  /** The abilities that the caller lacks for some of these tools; alternatives are in one text, as `a or b`. */
  lacking(tools: Tools): string[] {
    const lacking = Object.values(tools).filter(({ ability }) => !holdsAbility(this.#facts.scopes, ability))
    return [...new Set(lacking.map(({ ability }) => shownAbilities(abilitiesOf(ability))))]
  }

  /** Whether that capability was loaded, or needs no loading. */
  has(capability: string): boolean {
    return this.#loaded.has(capability)
  }

  /** Offers the tools of capabilities from now on, in this order; gives by their names what became of each. */
  async load(entries: readonly CatalogEntry[]): Promise<Map<string, LoadedTools>> {
    const asked = entries.map(async entry => ({ entry, asked: await this.#ask(entry) }))
    return new Map((await Promise.all(asked)).map(({ entry, asked }) => [entry.name, this.#take(entry, asked)]))
  }

  /** The tools of a capability, or why it has none just now. */
  async #ask(entry: CatalogEntry): Promise<AskedTools> {
    if (entry.isFixed) return { tools: entry.fixedTools }
    const asked = await withinTime<unknown>(() => entry.tools(this.#turn), {
      limitMs: toolsLimitMs,
      signal: this.#turn.signal,
    })
    const state = entry.state()
    if (asked.outcome === 'done' && typeof asked.value === 'object' && asked.value !== null) {
      const tools = asked.value as Tools
      const hasNone = state !== 'ready' && Object.keys(tools).length === 0
      return hasNone ? { failure: notLoaded(entry.name, state) } : { tools }
    }
    const worded = asked.outcome === 'failed' && isToolFailure(asked.error) ? asked.error.message : undefined
    const isExpected = worded !== undefined || state !== 'ready'
    this.#log[isExpected ? 'debug' : 'error']('a plugin failed to list its tools', {
      plugin: entry.name,
      ...(asked.outcome === 'failed' ? { error: asked.error } : {}),
      ...(asked.outcome === 'late' ? { limitMs: toolsLimitMs } : {}),
    })
    return { failure: worded ?? notLoaded(entry.name, state) }
  }

  #take(entry: CatalogEntry, asked: AskedTools): LoadedTools {
    if ('failure' in asked) return asked
    this.#loaded.add(entry.name)
    const origin = {
      capability: entry.name,
      mode: entry.mode,
      asksPerson: (name: string) => entry.asksPerson(name),
    }
    return { added: this.#add(asked.tools, origin).filter(({ name }) => this.judge(name).allowed) }
  }

  #add(tools: Tools, origin: ToolOrigin): OfferedTool[] {
    const added: OfferedTool[] = []
    for (const [ownName, tool] of Object.entries(tools)) {
      if (this.#only && (tool.agent || !this.#only.has(ownName))) continue
      const isHidden = origin.capability !== clientCapability && this.#clientNames.has(ownName)
      const name = isHidden ? `${ownPrefix}${ownName}` : ownName
      const violation = this.#violation(name, tool)
      if (violation !== undefined) {
        this.#log.error('a tool cannot be offered to the model', {
          tool: name,
          plugin: origin.capability,
          fault: violation,
        })
        this.#leftOut.push({ name, capability: origin.capability, reason: violation })
        continue
      }
      const offered = { name, ownName, tool, origin }
      this.#tools.set(name, offered)
      added.push(offered)
    }
    return added
  }

  /** Returns why a tool cannot be offered to the model: fixed tools were checked at boot, those made for a turn are checked here. */
  #violation(name: string, tool: Tool): string | undefined {
    if (this.#tools.has(name)) return 'the name is already in use'
    if (!toolName.test(name)) return 'the name has characters other than letters, digits, _ and -, or is longer than 64'
    if (this.#checked.has(tool)) return undefined
    const [violation] = toolViolations(tool)
    if (violation !== undefined) return violation
    try {
      const schema = this.#catalog.modelSchema(tool)
      if ('refusal' in schema) return schema.refusal
    } catch {
      return 'its input cannot be converted to JSON Schema'
    }
    this.#checked.add(tool)
    return undefined
  }

  /** Returns the tokens that an entry with these tools adds to a turn. */
  tokens(tools: readonly OfferedTool[], entry: CatalogEntry): number {
    return this.#catalog.tokens(Object.fromEntries(tools.map(({ name, tool }) => [name, tool])), entry)
  }
}
