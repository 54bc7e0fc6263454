import { nearNames } from '@sibyl/plugin'
import type { BootProblem, Example } from '@sibyl/plugin/host'
import type { z } from 'zod'
import { isZodSchema } from './check-tools.ts'

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
    const problem = (headline: string, line: string): BootProblem => ({
      code: 'manifest_example_invalid',
      headline: `Plugin '${plugin}' ${headline}`,
      lines: [line],
      plugin,
    })
    if (!Object.hasOwn(tools, tool)) {
      if (mayHave(tool)) return []
      const near = nearNames(tool, Object.keys(tools))
      const names = Object.keys(tools).join(', ')
      const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It has: ${names || 'no tools'}.`
      return [problem(`has an example for the unknown tool '${tool.slice(0, 80)}' (${place})`, hint)]
    }
    const violations = argumentViolations(args, (tools[tool] as { input?: unknown } | null)?.input)
    return violations.length > 0
      ? [problem(`has an example whose arguments do not match '${tool}' (${place})`, `${violations.join('; ')}.`)]
      : []
  })

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
