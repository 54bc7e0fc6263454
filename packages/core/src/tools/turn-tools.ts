import { judgeTool, type ToolOrigin } from '../gate/capability-gate.ts'
import type { Logger } from '../logging/logger.ts'
import type { Tool, Tools } from '../plugins/tool.ts'
import type { Turn } from '../plugins/turn.ts'
import type { CapabilityCatalog, CatalogEntry } from './capability-catalog.ts'

/** A tool with its origin. */
export interface OfferedTool {
  readonly name: string
  readonly tool: Tool
  readonly origin: ToolOrigin
}

/**
 * The tools of one turn: those of core and of every `always` capability first, then of each loaded one in the order
 * they were loaded. The list only ever grows at its end, so that provider prompt caches hold.
 */
export class TurnTools {
  readonly #catalog: CapabilityCatalog
  readonly #turn: Turn
  readonly #log: Logger
  readonly #loaded = new Set<string>()
  readonly #offered = new Map<string, OfferedTool>()

  private constructor(catalog: CapabilityCatalog, turn: Turn, log: Logger) {
    this.#catalog = catalog
    this.#turn = turn
    this.#log = log
  }

  /** Gathers the tools a turn begins with. */
  static async gather(
    catalog: CapabilityCatalog,
    turn: Turn,
    coreTools: (tools: TurnTools) => Tools,
    log: Logger,
  ): Promise<TurnTools> {
    const tools = new TurnTools(catalog, turn, log)
    tools.#add(coreTools(tools), { capability: 'core', mode: 'always' })
    const entries = catalog.entries()
    for (const entry of entries) if (entry.mode === 'always') await tools.#take(entry)
    for (const name of turn.session.loadedPlugins) {
      const entry = entries.find(one => one.name === name)
      if (entry && entry.mode === 'on-demand') await tools.#take(entry)
    }
    return tools
  }

  /** The tools to offer now, in their fixed order. */
  offered(): OfferedTool[] {
    return [...this.#offered.values()]
  }

  /** The tool of that name, if the gate lets it through. */
  find(name: string): OfferedTool | undefined {
    return this.#offered.get(name)
  }

  /** The gate's verdict on a tool by name. */
  judge(name: string) {
    return judgeTool(this.#offered.get(name)?.origin, this.#loaded)
  }

  /** Whether that capability was loaded, or needs no loading. */
  has(capability: string): boolean {
    return this.#loaded.has(capability)
  }

  /** Offers the tools of a capability from now on; gives what was added. */
  async load(entry: CatalogEntry): Promise<OfferedTool[]> {
    return this.#take(entry)
  }

  async #take(entry: CatalogEntry): Promise<OfferedTool[]> {
    let tools: Tools
    try {
      tools = await entry.tools(this.#turn)
    } catch (error) {
      this.#log.error('a plugin could not say which tools it has', { plugin: entry.name, error })
      return []
    }
    this.#loaded.add(entry.name)
    return this.#add(tools, { capability: entry.name, mode: entry.mode })
  }

  #add(tools: Tools, origin: ToolOrigin): OfferedTool[] {
    const added: OfferedTool[] = []
    for (const [name, tool] of Object.entries(tools)) {
      if (this.#offered.has(name)) {
        this.#log.warn('a tool name is taken; the later one is left out', { tool: name, plugin: origin.capability })
        continue
      }
      const offered = { name, tool, origin }
      this.#offered.set(name, offered)
      added.push(offered)
    }
    return added
  }

  /** What these tools add to a prompt, in tokens. */
  tokens(tools: readonly OfferedTool[], instructions?: CatalogEntry['instructions']): number {
    return this.#catalog.tokens(Object.fromEntries(tools.map(({ name, tool }) => [name, tool])), instructions)
  }
}
