import { type ClientTool, PersonNeeded, type Tool, ToolFailure, type Tools } from '@sibyl/plugin'
import { type JsonValue, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { coreToolNames } from '../plugins/check-tools.ts'
import { prefixOf } from '../plugins/read-capabilities.ts'
import type { CapabilityCatalog } from './capability-catalog.ts'

/** The capability that client tools belong to in the gate. */
export const clientCapability = 'client'

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

/** Returns the name of the first client tool that the oracle's own tools use, or that is given twice. */
export const takenClientTool = (catalog: CapabilityCatalog, given: readonly ClientTool[]): string | undefined => {
  if (given.length === 0) return undefined
  const entries = catalog.entries()
  const names = new Set([...coreToolNames, ...entries.flatMap(({ fixedTools }) => Object.keys(fixedTools))])
  const prefixes = entries.map(({ name }) => prefixOf(name))
  return given.find(({ name }) => {
    const isTaken = names.has(name) || prefixes.some(prefix => name.startsWith(prefix))
    names.add(name)
    return isTaken
  })?.name
}
