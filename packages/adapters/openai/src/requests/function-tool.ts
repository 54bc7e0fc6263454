import type { TurnRequest } from '@sibyl/plugin'
import type { ClientTool } from '@sibyl/plugin/host'
import { clientTool } from '@sibyl/protocol'
import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'

/** The fields of a function that the client runs. */
export const functionFields = z.looseObject({
  name: clientTool.shape.name,
  description: clientTool.shape.description.nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})

/** A tool of another type than a function. */
export const otherTool = z
  .looseObject({ type: z.string().max(100) })
  .refine(({ type }) => type !== 'function', 'the fields of a function are invalid')

/** Returns the types of the tools that are not functions, once each. */
export const otherTypes = (tools: readonly { readonly type: string }[] | null | undefined): readonly string[] => [
  ...new Set((tools ?? []).flatMap(({ type }) => (type === 'function' ? [] : [type]))),
]

/** Returns the notices about tools that are ignored. */
export const ignoredTools = (types: readonly string[]): readonly string[] =>
  types.map(type => `Tools of the type '${type.slice(0, 40)}' are not supported. They are ignored.`)

/** Returns a function as a tool that the client runs. */
const clientToolOf = ({ name, description, parameters }: z.output<typeof functionFields>): ClientTool => ({
  name,
  description: description ?? '',
  inputSchema: { ...parameters, type: 'object' } as ClientTool['inputSchema'],
})

/** The choice of tools in either API: a word, or a function. */
export const toolChoice = z.union([
  z.string().max(40),
  z.looseObject({
    type: z.string().max(100),
    name: z.string().max(100).optional(),
    function: z.looseObject({ name: z.string().max(100) }).optional(),
  }),
])

/** The tools of a request, as a turn gets them. */
export interface ChosenTools {
  readonly clientTools: readonly ClientTool[]
  readonly toolChoice: TurnRequest['toolChoice']
  /** The types of tools that are ignored. */
  readonly ignored: readonly string[]
}

/**
 * Returns the tools that the client runs, and which of them the model is to call. With `none`, it is offered none of them.
 *
 * @throws `openai_not_supported` for a choice that the oracle does not know
 */
export const chosenTools = (
  functions: readonly z.output<typeof functionFields>[],
  ignored: readonly string[],
  choice: z.output<typeof toolChoice> | null | undefined,
): ChosenTools => {
  const clientTools = functions.map(clientToolOf)
  const unsupported = (what: string) => openaiErrors.openai_not_supported({ what })
  if (choice === 'none') return { clientTools: [], toolChoice: undefined, ignored }
  if (choice === undefined || choice === null || choice === 'auto') {
    return { clientTools, toolChoice: undefined, ignored }
  }
  if (choice === 'required') {
    const [only, ...others] = clientTools
    if (!only) throw unsupported('`tool_choice: required` without functions')
    return { clientTools, toolChoice: others.length === 0 ? { tool: only.name } : 'required', ignored }
  }
  if (typeof choice === 'string') throw unsupported(`\`tool_choice: ${choice}\``)
  if (choice.type !== 'function') throw unsupported(`\`tool_choice\` of the type '${choice.type.slice(0, 40)}'`)
  const name = choice.function?.name ?? choice.name ?? ''
  if (!clientTools.some(tool => tool.name === name)) {
    throw unsupported(`\`tool_choice\` of '${name.slice(0, 64)}', which is not in \`tools\`,`)
  }
  return { clientTools, toolChoice: { tool: name }, ignored }
}
