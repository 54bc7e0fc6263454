import { abilitiesOf, defineTool, nearNames, type Tool } from '@sibyl/plugin'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { shownAbilities } from '../gate/refused-call.ts'
import type { CapabilityCatalog, CatalogEntry } from './capability-catalog.ts'
import type { TurnTools } from './turn-tools.ts'

/** A capability that was loaded just now. */
export interface LoadedCapability {
  readonly name: string
  readonly tools: readonly string[]
  /** What it adds to a prompt. */
  readonly tokens: number
}

const input = z.object({ names: z.array(z.string().max(100)).min(1).max(20) })

/**
 * The tool by which the agent loads capabilities; their tools are there from its next step on and stay for the session.
 *
 * @param remember Stores the names with the session, those of `always` ones too: plugins see them in `loadedPlugins`.
 * @param tell Told of each one that was loaded.
 */
export const loadCapabilityTool = (
  catalog: CapabilityCatalog,
  tools: TurnTools,
  remember: (names: readonly string[]) => Promise<void>,
  tell: (loaded: LoadedCapability) => void,
): Tool =>
  defineTool({
    description:
      'Loads capabilities by name so that you can call their tools in the next step. ' +
      'Answers for each name: how to use it, which tools it brings, and which are withheld from this caller.',
    input,
    effect: 'read',
    async execute({ names }) {
      const entries = [...new Set(names)].map(name => ({ name, entry: catalog.find(name) }))
      const loading = await tools.load(entries.flatMap(({ entry }) => (entry && !tools.has(entry.name) ? [entry] : [])))
      const noted: string[] = []
      const results = entries.map(({ name, entry }): JsonValue => {
        if (!entry) return unknownName(catalog, name)
        const loaded = loading.get(name)
        if (!loaded) {
          if (entry.mode === 'always') noted.push(name)
          return { name, status: 'already_loaded', ...manifestOf(entry), ...withheldOf(tools, name) }
        }
        if ('failure' in loaded) return { name, status: 'failed', error: loaded.failure }
        noted.push(name)
        const { added } = loaded
        tell({ name, tools: added.map(one => one.name), tokens: tools.tokens(added, entry) })
        return {
          name,
          status: 'loaded',
          ...manifestOf(entry),
          tools: added.map(one => ({ name: one.name, description: one.tool.description })),
          ...withheldOf(tools, name),
        }
      })
      if (noted.length > 0) await remember(noted)
      return { results }
    },
  }) as Tool

const manifestOf = (entry: CatalogEntry) => ({
  whenToUse: entry.manifest.whenToUse,
  ...(entry.manifest.whenNotToUse ? { whenNotToUse: entry.manifest.whenNotToUse } : {}),
  ...(typeof entry.instructions === 'string' ? { instructions: entry.instructions } : {}),
})

/** The tools of a capability that the caller may not call, and why. */
const withheldOf = (tools: TurnTools, capability: string): JsonObject => {
  const withheld = tools.withheld(capability).map(({ name, tool }) => ({
    name,
    error: `It needs the ability ${shownAbilities(abilitiesOf(tool.ability))}, which this caller does not hold.`,
  }))
  return withheld.length > 0 ? { withheld } : {}
}

const unknownName = (catalog: CapabilityCatalog, name: string): JsonValue => {
  const near = nearNames(
    name,
    catalog.entries().map(entry => entry.name),
  )
  return {
    name,
    status: 'unknown',
    error: `There is no capability '${name}'.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
    near,
  }
}
