import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Manifest } from '@sibyl/plugin'
import type { Example } from '@sibyl/plugin/host'
import { parseTemplate, type Template } from './match-template.ts'
import { type JsonSchema, type OfflineCatalogEntry, type ToolInput, toolInput, wordingsOf } from './offline-catalog.ts'
import { type ExampleWords, exampleWords, wordValues } from './score-words.ts'

/** An example, ready to be compared with texts. */
export interface KnownExample {
  readonly entry: OfflineCatalogEntry
  readonly example: Example
  readonly templates: readonly Template[]
  readonly words: ExampleWords
}

/** All that the offline model knows at one call. */
export interface Knowledge {
  readonly entries: readonly OfflineCatalogEntry[]
  readonly examples: readonly KnownExample[]
  /** Returns how well a word distinguishes plugins. */
  readonly wordValue: (word: string) => number
  /** Returns the known input of a tool. */
  inputOf(entry: OfflineCatalogEntry, tool: string): ToolInput | undefined
  /** Whether a tool changes something; true where its effect is unknown. */
  writes(entry: OfflineCatalogEntry, tool: string): boolean
}

type OfferedTools = NonNullable<LanguageModelV4CallOptions['tools']>

/** Reads the catalog; what was read of a manifest or an input schema is kept as long as they are. */
export const createKnowledge = (): ((entries: readonly OfflineCatalogEntry[], offered: OfferedTools) => Knowledge) => {
  const read = new WeakMap<Manifest, readonly KnownExample[]>()
  const inputs = new WeakMap<object, ToolInput>()

  const readEntry = (entry: OfflineCatalogEntry): readonly KnownExample[] => {
    const known = read.get(entry.manifest)
    if (known?.[0]?.entry === entry) return known
    const examples = (entry.manifest.examples ?? []).map((example, index) => ({
      entry,
      example,
      templates: known?.[index]?.templates ?? wordingsOf(example).map(parseTemplate),
      words: known?.[index]?.words ?? exampleWords(entry, example),
    }))
    read.set(entry.manifest, examples)
    return examples
  }

  return (entries, offered) => {
    const perEntry = entries.map(readEntry)
    const offeredByName = new Map(offered.flatMap(tool => (tool.type === 'function' ? [[tool.name, tool]] : [])))
    return {
      entries,
      examples: perEntry.flat(),
      wordValue: wordValues(perEntry.map(examples => examples.map(({ words }) => words))),
      inputOf(entry, name) {
        const tool = entry.tools.find(one => one.name === name)
        if (tool) {
          const key = tool.inputSchema ?? tool.input
          const input = inputs.get(key) ?? toolInput(tool)
          inputs.set(key, input)
          return input
        }
        const schema = offeredByName.get(name)?.inputSchema as JsonSchema | undefined
        return schema && { schema, writes: true }
      },
      writes(entry, name) {
        return this.inputOf(entry, name)?.writes ?? true
      },
    }
  }
}
