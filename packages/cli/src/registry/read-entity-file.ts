import { isObject, type JsonValue, jsonPointer, parseJson } from '@sibyl/protocol'
import type { z } from 'zod'
import { inputName, readInput } from '../command/read-input.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import type { ListedViolation } from '../errors/command-error.ts'
import type { CommandIo } from '../process/command-io.ts'
import { listViolations } from './list-violations.ts'
import type { NamedService, NamedValue } from './registry-flags.ts'

/** The maximum size of a file with an entity or a patch, in bytes; a registry accepts 100,000. */
const maxBytes = 200_000
/** The maximum depth of its JSON. */
const maxDepth = 64

/** The members of an entity or a patch, before validation. */
type EntityDraft = Readonly<Record<string, JsonValue>>

/**
 * Reads an entity or a patch as JSON from a file, or with `-` from standard input.
 *
 * @throws `usage_invalid` when it cannot be read, is too long, or is not a JSON object
 */
export const readEntityFile = async (path: string, io: CommandIo): Promise<EntityDraft> => {
  const name = inputName(path)
  const text = new TextDecoder().decode(await readInput(path, io, { maxBytes }))
  const value = parseJson(text)
  if (!isObject(value) || depthOf(text) > maxDepth) {
    const example = '{ "type": "CookStove", "properties": { "serial": "A-17" } }'
    throw cliErrors.usage_invalid(`${name} does not contain a JSON object for a registry.`, `Such as: ${example}`)
  }
  return value as EntityDraft
}

/** Returns the depth of nested brackets, including those in strings. */
const depthOf = (text: string): number => {
  let [depth, deepest] = [0, 0]
  for (const character of text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '')) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

/**
 * Validates a draft with the schema of the route of the registry, so that local errors need no request.
 *
 * @throws `usage_invalid` with every error by its JSON Pointer
 */
export const checkDraft = <Value>(schema: z.ZodType<Value>, draft: unknown): Value => {
  const parsed = schema.safeParse(draft)
  if (parsed.success) return parsed.data
  throw cliErrors.usage_invalid('Registries reject this input:', 'Fix each value.', {
    faults: listViolations(violationsOf(parsed.error)),
  })
}

const violationsOf = ({ issues }: z.ZodError): readonly ListedViolation[] =>
  issues.flatMap(issue => {
    const path = jsonPointer('', ...issue.path)
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map(key => ({ path: jsonPointer(path, key), message: 'The member is unknown.' }))
  })

/** Returns properties by name; values are parsed as JSON if possible, otherwise they are strings. */
export const propertiesOf = (given: readonly NamedValue[]): Record<string, JsonValue> =>
  Object.fromEntries(given.map(({ name, value }) => [name, valueIn(value)]))

const valueIn = (text: string): JsonValue => {
  const value = parseJson(text)
  return value === undefined ? text : (value as JsonValue)
}

/** Returns services with others added, which replace those with the same id. */
export const servicesWith = (kept: unknown, given: readonly NamedService[]): readonly unknown[] => {
  const services: readonly unknown[] = Array.isArray(kept) ? kept : []
  const newest = new Map(given.map(service => [service.id, service]))
  const replaced = services.map(service => newest.get(idOf(service)) ?? service)
  const ids = new Set(services.map(idOf))
  return [...replaced, ...[...newest.values()].filter(({ id }) => !ids.has(id))]
}

const idOf = (service: unknown): string =>
  typeof service === 'object' && service !== null && 'id' in service ? String(service.id) : ''

/** Returns the members of an object; none for other values, which the schema rejects. */
export const objectIn = (value: JsonValue | undefined): Readonly<Record<string, JsonValue>> =>
  isObject(value) ? value : {}
