import type { Tool } from '@sibyl/plugin'
import { type BootProblem, isRequiredAbility } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import type { z } from 'zod'
import { switchOff } from '../config/env-problem.ts'
import { describeType } from '../errors/describe-value.ts'
import { pluginProblem } from './plugin-problem.ts'

export const coreToolNames: ReadonlySet<string> = new Set(['list_capabilities', 'load_capability'])

const toolName = /^[a-z][a-z0-9_]{0,63}$/

/** Returns whether a value is a zod schema, from any copy of zod. */
export const isZodSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && typeof (value as z.ZodType).safeParse === 'function'

/**
 * Checks the fixed tools of a plugin separately and against earlier ones. Tools of a turn are checked in that turn.
 *
 * @param taken The plugin of each tool name so far; those of the plugin are added.
 */
export const checkTools = (plugin: string, tools: unknown, taken: Map<string, string>): BootProblem[] => {
  if (tools === undefined || typeof tools === 'function') return []
  if (!isObject(tools)) {
    return [toolProblem(plugin, `returned tools that are ${describeType(tools)}, not an object by name`)]
  }
  return Object.entries(tools).flatMap(([name, tool]) => {
    const shown = name.slice(0, 80)
    if (!toolName.test(name)) {
      const line = 'A name begins with a lower-case letter and has at most 64 letters, digits and underscores.'
      return [toolProblem(plugin, `has a tool with the invalid name '${shown}'`, line)]
    }
    if (coreToolNames.has(name))
      return [toolProblem(plugin, `has a tool '${name}', which is reserved for core`, 'Rename it.')]
    const other = taken.get(name)
    if (other !== undefined) return [toolTaken(name, other, plugin)]
    taken.set(name, plugin)
    const violations = toolViolations(tool)
    return violations.length > 0
      ? [toolProblem(plugin, `has an invalid tool '${name}'`, `${violations.join('; ')}.`)]
      : []
  })
}

/** Returns the errors of a tool; empty if it is valid. */
export const toolViolations = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [`It is ${describeType(value)}, not an object`]
  const tool = value as Record<keyof Tool, unknown>
  const isFunctionOrUnset = (member: unknown) => member === undefined || typeof member === 'function'
  const checks: [boolean, string][] = [
    [typeof tool.description === 'string' && tool.description.trim() !== '', 'description is not a string'],
    [isZodSchema(tool.input), 'input is not a zod schema'],
    [
      tool.inputSchema === undefined || isObjectSchema(tool.inputSchema),
      'inputSchema is not a JSON Schema of an object',
    ],
    [tool.output === undefined || isZodSchema(tool.output), 'output is not a zod schema'],
    [tool.effect === 'read' || tool.effect === 'write', "effect is neither 'read' nor 'write'"],
    [
      tool.ability === undefined || isRequiredAbility(tool.ability),
      'ability is neither an ability such as notes/read nor a list of 1 to 10 of them, or it is a pattern',
    ],
    [typeof tool.execute === 'function', 'execute is not a function'],
    [tool.approval === 'user' || isFunctionOrUnset(tool.approval), "approval is neither 'user' nor a function"],
    [
      tool.approvalScope === undefined || (typeof tool.approvalScope === 'string' && tool.approvalScope.length <= 200),
      'approvalScope is not a string of at most 200 characters',
    ],
    [isFunctionOrUnset(tool.describe), 'describe is not a function'],
    [tool.agent === undefined || isAgent(tool.agent), 'agent has no instructions or no list of tools'],
    [
      tool.timeLimitSeconds === undefined ||
        (Number.isFinite(tool.timeLimitSeconds) && Number(tool.timeLimitSeconds) > 0),
      'timeLimitSeconds is not a number above 0',
    ],
  ]
  return checks.flatMap(([fine, violation]) => (fine ? [] : [violation]))
}

const isAgent = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { instructions, tools, capabilities = [] } = value as Record<string, unknown>
  const isNames = (list: unknown) => Array.isArray(list) && list.every(name => typeof name === 'string')
  return typeof instructions === 'string' && instructions.trim() !== '' && isNames(tools) && isNames(capabilities)
}

/** Returns whether a value is a JSON Schema of an object, as far as model providers require. */
const isObjectSchema = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || (value as { type?: unknown }).type !== 'object') return false
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

const toolTaken = (name: string, one: string, other: string): BootProblem => ({
  code: 'tool_name_taken',
  headline: `Plugins '${one}' and '${other}' both have a tool '${name}'`,
  lines: [`Rename one of them, or disable a plugin, such as ${switchOff(other)}`],
  plugin: other,
})

const toolProblem = (plugin: string, violation: string, line = 'Write tools: { greet: defineTool({ ... }) }.') =>
  pluginProblem({ code: 'tool_invalid', plugin }, violation, line)
