import {
  type Capability,
  type LoadMode,
  type Logger,
  loadMode,
  type Manifest,
  type PluginParts,
  type Tool,
  type Tools,
  type Turn,
} from '@sibyl/plugin'
import { z } from 'zod'
import { capabilityState, knownTools, prefixed, prefixOf, readCapabilities } from '../plugins/read-capabilities.ts'

/** Something the agent can load: a plugin, or one capability of a plugin that stands for many. */
export interface CatalogEntry {
  readonly name: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  state(): 'ready' | 'pending' | 'degraded'
  /** Whether its manifest has a person approve every call of a tool. */
  asksPerson(tool: string): boolean
  /** The tools as far as they are known without a turn. */
  readonly fixedTools: Tools
  /** Whether those are all of them, in every turn. */
  readonly isFixed: boolean
  tools(turn: Turn): Tools | Promise<Tools>
  readonly instructions: PluginParts['instructions']
}

/** What the catalog is made of: a plugin with its retuned manifest and its parts. */
export interface CatalogSource {
  readonly name: string
  readonly manifest: Manifest
  readonly parts: PluginParts
}

/** All that the agent may load, in the order of the plugins. */
export class CapabilityCatalog {
  readonly #sources: CatalogSource[] = []
  readonly #log: Logger
  /** Plugins whose last list of capabilities could not be used. */
  readonly #faulty = new Set<string>()
  /** Tools that were found usable before. */
  readonly checkedTools = new WeakSet<Tool>()
  readonly #schemas = new WeakMap<z.ZodType, Record<string, unknown>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a plugin. */
  add(source: CatalogSource): void {
    this.#sources.push(source)
  }

  /** The entries as they are now: capabilities may come and go. Of two with one name the first counts. */
  entries(): CatalogEntry[] {
    const taken = new Set(this.#sources.map(({ name }) => name))
    return this.#sources.flatMap(source => [
      pluginEntry(source),
      ...this.#capabilities(source)
        .filter(({ name }) => !taken.has(name) && taken.add(name))
        .map(capability => capabilityEntry(capability, source)),
    ])
  }

  #capabilities({ name, parts }: CatalogSource): readonly Capability[] {
    const { usable, fault } = readCapabilities(parts)
    if (fault === undefined) this.#faulty.delete(name)
    else if (!this.#faulty.has(name)) {
      this.#faulty.add(name)
      this.#log.error('a plugin failed to list its capabilities', { plugin: name, error: fault })
    }
    return usable
  }

  /** The entry of that name. */
  find(name: string): CatalogEntry | undefined {
    return this.entries().find(entry => entry.name === name)
  }

  /** A tool's input as JSON Schema, made once. */
  inputSchema(tool: Tool): Record<string, unknown> {
    if (tool.inputSchema) return tool.inputSchema as Record<string, unknown>
    let schema = this.#schemas.get(tool.input)
    if (!schema) {
      schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
      this.#schemas.set(tool.input, schema)
    }
    return schema
  }

  /**
   * What an entry with these tools adds to a turn once it is loaded, in tokens (estimated at 4 characters each): the
   * definitions of the tools, the fixed instructions, and of one that is loaded on demand what the agent is told then.
   */
  tokens(
    tools: Tools,
    { mode, manifest, instructions }: Pick<CatalogEntry, 'mode' | 'manifest' | 'instructions'>,
  ): number {
    const texts = Object.entries(tools).map(([name, tool]) => `${name}${tool.description}${this.#schemaText(tool)}`)
    if (typeof instructions === 'string') texts.push(instructions)
    if (mode === 'on-demand') {
      texts.push(...manifest.whenToUse, ...(manifest.whenNotToUse ?? []))
      texts.push(...Object.entries(tools).map(([name, tool]) => `${name}${tool.description}`))
    }
    return Math.ceil(texts.join('').length / 4)
  }

  /** Empty where the input cannot be put as JSON Schema: such a tool is never offered. */
  #schemaText(tool: Tool): string {
    try {
      return JSON.stringify(this.inputSchema(tool))
    } catch {
      return ''
    }
  }
}

const pluginEntry = ({ name, manifest, parts }: CatalogSource): CatalogEntry => {
  const { tools, state } = parts
  return {
    name,
    manifest,
    mode: loadMode(manifest),
    state: () => (state ? capabilityState({ state }) : 'ready'),
    asksPerson: tool => names(manifest.approvals, tool),
    fixedTools: typeof tools === 'function' ? {} : (tools ?? {}),
    isFixed: typeof tools !== 'function',
    tools: turn => (typeof tools === 'function' ? tools(turn) : (tools ?? {})),
    instructions: parts.instructions,
  }
}

const capabilityEntry = (capability: Capability, plugin: CatalogSource): CatalogEntry => {
  const { name, manifest } = capability
  const prefix = prefixOf(name)
  return {
    name,
    manifest,
    mode: loadMode(manifest),
    state: () => capabilityState(capability),
    asksPerson: tool =>
      names(plugin.manifest.approvals, tool) ||
      names(manifest.approvals, tool) ||
      (tool.startsWith(prefix) && names(manifest.approvals, tool.slice(prefix.length))),
    get fixedTools() {
      return knownTools(capability)
    },
    isFixed: false,
    tools: async turn => prefixed(name, await capability.tools(turn)),
    instructions: undefined,
  }
}

/** Whether a list of tools names one, or all. */
const names = (list: readonly string[] | undefined, tool: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(tool))
