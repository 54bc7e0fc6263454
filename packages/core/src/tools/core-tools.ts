import { defineTool, nearNames, PersonNeeded, type Tool, ToolFailure, type Tools } from '@sibyl/plugin'
import { abilitiesOf, type ClientTool } from '@sibyl/plugin/host'
import { type JsonObject, type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { shownAbilities } from '../gate/capability-gate.ts'
import { coreToolNames } from '../plugins/check-tools.ts'
import type { CapabilityCatalog, CatalogEntry } from './capability-catalog.ts'
import type { TurnTools } from './turn-tools.ts'

/** A capability that was loaded just now. */
export interface LoadedCapability {
  readonly name: string
  readonly tools: readonly string[]
  /** The tokens that it adds to a prompt. */
  readonly tokens: number
}

const namesInput = z.object({ names: z.array(z.string().max(100)).min(1).max(20) })
const noInput = z.object({})

/**
 * Creates the tool by which the agent loads capabilities; their tools are available from its next step and stay for the
 * session.
 *
 * @param remember Stores the names in the session, including `always` ones: plugins see them in `loadedPlugins`.
 * @param notify Called for each loaded capability.
 */
const loadCapabilityTool = (
  catalog: CapabilityCatalog,
  tools: TurnTools,
  remember: (names: readonly string[]) => Promise<void>,
  notify: (loaded: LoadedCapability) => void,
): Tool =>
  defineTool({
    description:
      'Loads capabilities by name so that you can call their tools in the next step. ' +
      'Returns for each name: its usage, its tools, and the tools withheld from this caller.',
    input: namesInput,
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
        notify({ name, tools: added.map(one => one.name), tokens: tools.tokens(added, entry) })
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

/** Returns the tools of a capability that the caller may not call, with the reasons. */
const withheldOf = (tools: TurnTools, capability: string): JsonObject => {
  const withheld = tools.withheld(capability).map(({ name, tool }) => ({
    name,
    error: `It requires the ability ${shownAbilities(abilitiesOf(tool.ability))}, which this caller does not have.`,
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

/** Maximum number of capabilities that are listed in full. */
const inFull = 20

/** The total length of all summaries of a longer list, and the minimum of one, in characters. */
const summariesLength = 4_000
const shortestSummary = 40

/** Creates the tool that lists the loadable capabilities. It has no input. */
const listCapabilitiesTool = (catalog: CapabilityCatalog, tools: TurnTools): Tool =>
  defineTool({
    description:
      'Lists the capabilities of this oracle: name, summary, mode (always or on-demand), whether it is loaded, tags, and ' +
      'the abilities that this caller lacks, without which some or all of its tools cannot be called. ' +
      'Call it when no tool you have fits the request.',
    input: noInput,
    effect: 'read',
    async execute() {
      const entries = catalog.entries()
      const isLong = entries.length > inFull
      const length = Math.max(shortestSummary, Math.floor(summariesLength / entries.length))
      return {
        capabilities: entries.map(entry => {
          const state = entry.state()
          const lacks = tools.lacking(entry.fixedTools)
          return {
            name: entry.name,
            summary: isLong ? shortened(entry.manifest.summary, length) : entry.manifest.summary,
            mode: entry.mode,
            loaded: tools.has(entry.name),
            ...(isLong ? {} : { tags: entry.manifest.tags ?? [] }),
            ...(state === 'ready' ? {} : { state }),
            ...(lacks.length > 0 ? { lacks } : {}),
          }
        }),
      }
    },
  }) as Tool

/** Truncates a text at a word boundary. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, '')}…`

/** Returns core's own tools of a turn; see `loadCapabilityTool` for `remember` and `notify`. */
export const coreTools = (
  catalog: CapabilityCatalog,
  tools: TurnTools,
  remember: (names: readonly string[]) => Promise<void>,
  notify: (loaded: LoadedCapability) => void,
): Tools => ({
  list_capabilities: listCapabilitiesTool(catalog, tools),
  load_capability: loadCapabilityTool(catalog, tools, remember, notify),
})

const resultSchema = z.union([z.object({ output: jsonValue }), z.object({ error: z.string() })])

/** The result of a client's own call: its output, or its error. */
export type ClientResult = z.output<typeof resultSchema>

/** Returns what the model reads of a client's result. */
export const clientResult = (
  tool: string,
  { accepted, data }: { readonly accepted: boolean; readonly data?: JsonValue | undefined },
): { readonly output: JsonValue } | { readonly errorText: string } => {
  const result = resultSchema.safeParse(data).data
  if (!accepted || !result) return { errorText: `The client did not run '${tool}'.` }
  return 'error' in result
    ? { errorText: `The client ran '${tool}' with an error: ${result.error}` }
    : { output: result.output as JsonValue }
}

/**
 * Returns tools that the client of a turn runs: a call of one suspends the turn, and the client's result becomes its output.
 */
export const clientToolsOf = (given: readonly ClientTool[]): Tools =>
  Object.fromEntries(given.map(tool => [tool.name, toolOf(tool)]))

const toolOf = ({ name, description, inputSchema }: ClientTool): Tool => ({
  description: description.trim() || `Runs '${name}' in the application of the user.`,
  input: z.record(z.string(), z.unknown()),
  inputSchema,
  effect: 'read',
  async execute(_, { answer }) {
    if (!answer) throw new PersonNeeded({ text: `Run ${name}`.slice(0, 1_000) })
    const result = clientResult(name, answer)
    if ('errorText' in result) throw new ToolFailure(result.errorText)
    return result.output
  },
})

/**
 * Returns the name of the first client tool that one of core has, that is given twice, or that a call of another tool waits for.
 */
export const takenClientTool = (
  given: readonly ClientTool[],
  waiting: readonly { readonly kind: string; readonly tool: string }[] = [],
): string | undefined => {
  const names = new Set([...coreToolNames, ...waiting.flatMap(({ kind, tool }) => (kind === 'client' ? [] : [tool]))])
  return given.find(({ name }) => {
    const isTaken = names.has(name)
    names.add(name)
    return isTaken
  })?.name
}
