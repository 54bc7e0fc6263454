import { inlineRefs, type PortableSchema, portableSchema } from '@sibyl/models'
import type { Capability, Logger, Manifest, PluginParts, Tool, Tools, Turn } from '@sibyl/plugin'
import { type LoadMode, loadMode } from '@sibyl/plugin/host'
import { z } from 'zod'
import { capabilityState, knownTools, prefixed, prefixOf, readCapabilities } from '../plugins/read-capabilities.ts'

/** A capability that the agent can load: a plugin, or one of its capabilities. */
export interface CatalogEntry {
  readonly name: string
  /** The plugin. */
  readonly owner: string
  readonly manifest: Manifest
  readonly mode: LoadMode
  state(): 'ready' | 'pending' | 'degraded'
  /** Returns whether its manifest requires approval for every call of a tool. */
  asksPerson(tool: string): boolean
  /** The tools that are known without a turn. */
  readonly fixedTools: Tools
  /** Whether those are all its tools, in every turn. */
  readonly isFixed: boolean
  tools(turn: Turn): Tools | Promise<Tools>
  readonly instructions: PluginParts['instructions']
}

/** A source of the catalog: a plugin with its overridden manifest and its parts. */
export interface CatalogSource {
  readonly name: string
  readonly manifest: Manifest
  readonly parts: PluginParts
}

/** The capabilities that the agent may load, in the order of the plugins. */
export class CapabilityCatalog {
  readonly #sources: CatalogSource[] = []
  readonly #log: Logger
  /** Plugins whose last list of capabilities was invalid. */
  readonly #faulty = new Set<string>()
  /** Tools that passed validation. */
  readonly checkedTools = new WeakSet<Tool>()
  readonly #schemas = new WeakMap<z.ZodType, Record<string, unknown>>()
  readonly #modelSchemas = new WeakMap<object, PortableSchema>()
  readonly #outputSchemas = new WeakMap<z.ZodType, Record<string, unknown>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Adds a plugin. */
  add(source: CatalogSource): void {
    this.#sources.push(source)
  }

  /** Returns the current entries: capabilities may change. Of two with one name the first counts. */
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
    if (!parts.capabilities) return []
    const { usable, fault } = readCapabilities(parts)
    if (fault === undefined) this.#faulty.delete(name)
    else if (!this.#faulty.has(name)) {
      this.#faulty.add(name)
      this.#log.error('a plugin failed to list its capabilities', { plugin: name, error: fault })
    }
    return usable
  }

  find(name: string): CatalogEntry | undefined {
    return this.entries().find(entry => entry.name === name)
  }

  /** Returns the input of a tool as JSON Schema, without references if it follows from zod; cached. */
  inputSchema(tool: Tool): Record<string, unknown> {
    if (tool.inputSchema) return tool.inputSchema as Record<string, unknown>
    return cached(
      this.#schemas,
      tool.input,
      input => inlineRefs(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })) as Record<string, unknown>,
    )
  }

  /** Returns the input of a tool as every model API takes it, or the reason why it cannot be; cached. */
  modelSchema(tool: Tool): PortableSchema {
    return cached(this.#modelSchemas, this.inputSchema(tool), portableSchema)
  }

  /** Returns the output of a tool as JSON Schema, cached; undefined if it defines none, or none of an object. */
  outputSchema({ output }: Tool): Record<string, unknown> | undefined {
    if (!output) return undefined
    const schema = cached(this.#outputSchemas, output, outputSchemaOf)
    return schema.type === 'object' ? schema : undefined
  }

  /**
   * Returns the tokens that an entry with these tools adds to a turn after a load (estimated at 4 characters each): the
   * definitions of the tools, the fixed instructions, and for on-demand capabilities the result of the load.
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

  /** Empty if the input cannot be converted to JSON Schema: such a tool is never offered. */
  #schemaText(tool: Tool): string {
    try {
      return JSON.stringify(this.inputSchema(tool))
    } catch {
      return ''
    }
  }
}

const cached = <Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value => {
  const value = cache.get(key) ?? make(key)
  cache.set(key, value)
  return value
}

const outputSchemaOf = (output: z.ZodType): Record<string, unknown> => {
  try {
    return inlineRefs(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })) as Record<string, unknown>
  } catch {
    return {}
  }
}

const pluginEntry = ({ name, manifest, parts }: CatalogSource): CatalogEntry => {
  const { tools, state } = parts
  return {
    name,
    owner: name,
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
    owner: plugin.name,
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

/** Returns whether a list of tools contains one, or all. */
const names = (list: readonly string[] | undefined, tool: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(tool))
