import type { BootProblem, Example } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { isZodSchema } from './check-tools.ts'
import { hintFor, pluginProblem } from './plugin-problem.ts'

/**
 * Checks that the examples of a manifest name tools of that plugin and have valid arguments, as far as possible without
 * a turn.
 *
 * @param tools The fixed tools by name.
 * @param mayHave Whether the plugin may have a further tool with that name, known only in a turn.
 */
export const checkExamples = (
  plugin: string,
  examples: readonly Example[],
  tools: Readonly<Record<string, unknown>>,
  mayHave: (tool: string) => boolean,
): BootProblem[] =>
  examples.flatMap(({ tool, args }, index) => {
    const place = `manifest.examples[${index}]`
    const problem = (violation: string, line: string) =>
      pluginProblem({ code: 'manifest_example_invalid', plugin }, violation, line)
    if (!Object.hasOwn(tools, tool)) {
      if (mayHave(tool)) return []
      const violation = `has an example for the unknown tool '${tool.slice(0, 80)}' (${place})`
      return [problem(violation, toolHint(tool, tools))]
    }
    const violations = argumentViolations(args, (tools[tool] as { input?: unknown } | null)?.input)
    return violations.length > 0
      ? [problem(`has an example whose arguments do not match '${tool}' (${place})`, `${violations.join('; ')}.`)]
      : []
  })

/** Returns the hint for an unknown tool of a plugin. */
export const toolHint = (tool: string, tools: object): string =>
  hintFor(tool, Object.keys(tools), `It has: ${Object.keys(tools).join(', ') || 'no tools'}.`)

const argumentViolations = (args: Readonly<Record<string, unknown>>, input: unknown): string[] => {
  if (!isZodSchema(input) || input._zod.def.type !== 'object') return []
  const { shape, _zod } = input as z.ZodObject
  const catchall = _zod.def.catchall?._zod.def.type
  const takesOthers = catchall !== undefined && catchall !== 'never'
  const unknown = takesOthers ? [] : Object.keys(args).filter(key => !Object.hasOwn(shape, key))
  const missing = Object.keys(shape).filter(key => isRequired(shape[key]) && !Object.hasOwn(args, key))
  const misfits = Object.entries(args).filter(
    ([key, value]) => Object.hasOwn(shape, key) && !hasPlaceholder(value) && !takes(shape[key], value),
  )
  return [
    ...unknown.map(key => `the tool has no '${key}'`),
    ...missing.map(key => `'${key}' is missing`),
    ...misfits.map(([key]) => `'${key}' has a value that the tool rejects`),
  ]
}

const isRequired = (schema: unknown): boolean => isZodSchema(schema) && schema._zod.optin === undefined

const hasPlaceholder = (value: unknown): boolean => /\{[^{}]+\}/.test(JSON.stringify(value) ?? '')

/** Returns whether a schema accepts a value; true for schemas that work only in a turn. */
const takes = (schema: unknown, value: unknown): boolean => {
  try {
    return !isZodSchema(schema) || schema.safeParse(value).success
  } catch {
    return true
  }
}
