import { z } from 'zod'
import type { Logger } from '../logging/logger.ts'
import type { Capability, PluginParts } from '../plugins/oracle-plugin.ts'
import { type LoadMode, loadMode, type Manifest } from '../plugins/plugin-manifest.ts'
import { capabilityState, readCapabilities } from '../plugins/read-capabilities.ts'
import type { Tool, Tools } from '../plugins/tool.ts'
import type { Turn } from '../plugins/turn.ts'

/** Something the agent can load: a plugin, or one capability of a plugin that stands for many. */
export interface CatalogEntry {
  readonly name: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  state(): 'ready' | 'pending' | 'degraded'
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
  readonly #sources: readonly CatalogSource[]
  readonly #log: Logger
  /** Plugins whose last list of capabilities could not be used. */
  readonly #faulty = new Set<string>()
  /** Tools that were found usable before. */
  readonly checkedTools = new WeakSet<Tool>()
  readonly #schemas = new WeakMap<z.ZodType, Record<string, unknown>>()

  constructor(sources: readonly CatalogSource[], log: Logger) {
    this.#sources = sources
    this.#log = log
  }

  /** The entries as they are now: capabilities may come and go. Of two with one name the first counts. */
  entries(): CatalogEntry[] {
    const taken = new Set(this.#sources.map(({ name }) => name))
    return this.#sources.flatMap(source => [
      pluginEntry(source),
      ...this.#capabilities(source)
        .filter(({ name }) => !taken.has(name) && taken.add(name))
        .map(capabilityEntry),
    ])
  }

  #capabilities({ name, parts }: CatalogSource): readonly Capability[] {
    const { usable, fault } = readCapabilities(parts)
    if (fault === undefined) this.#faulty.delete(name)
    else if (!this.#faulty.has(name)) {
      this.#faulty.add(name)
      this.#log.error('a plugin could not name its capabilities', { plugin: name, error: fault })
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
    const texts = Object.entries(tools).map(
      ([name, tool]) => `${name}${tool.description}${JSON.stringify(this.inputSchema(tool))}`,
    )
    if (typeof instructions === 'string') texts.push(instructions)
    if (mode === 'on-demand') {
      texts.push(...manifest.whenToUse, ...(manifest.whenNotToUse ?? []))
      texts.push(...Object.entries(tools).map(([name, tool]) => `${name}${tool.description}`))
    }
    return Math.ceil(texts.join('').length / 4)
  }
}

const pluginEntry = ({ name, manifest, parts }: CatalogSource): CatalogEntry => {
  const { tools } = parts
  return {
    name,
    manifest,
    mode: loadMode(manifest),
    state: () => 'ready',
    fixedTools: typeof tools === 'function' ? {} : (tools ?? {}),
    isFixed: typeof tools !== 'function',
    tools: turn => (typeof tools === 'function' ? tools(turn) : (tools ?? {})),
    instructions: parts.instructions,
  }
}

const capabilityEntry = (capability: Capability): CatalogEntry => ({
  name: capability.name,
  manifest: capability.manifest,
  mode: loadMode(capability.manifest),
  state: () => capabilityState(capability),
  fixedTools: {},
  isFixed: false,
  async tools(turn) {
    const tools = await capability.tools(turn)
    const prefix = capability.name.replaceAll('-', '_')
    return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [`${prefix}_${name}`, tool]))
  },
  instructions: undefined,
})
