import type { JsonValue } from '@sibyl/protocol'
import { parseJson } from '../home/parse-json.ts'
import type { NamedService, NamedValue } from './registry-flags.ts'

/** Properties by name; a value that is JSON is taken as such, all else as a text. */
export const propertiesOf = (given: readonly NamedValue[]): Record<string, JsonValue> =>
  Object.fromEntries(given.map(({ name, value }) => [name, valueIn(value)]))

const valueIn = (text: string): JsonValue => {
  const value = parseJson(text)
  return value === undefined ? text : (value as JsonValue)
}

/** Services with others in the place of those with the same id, or behind them. */
export const servicesWith = (kept: unknown, given: readonly NamedService[]): readonly unknown[] => {
  const services: readonly unknown[] = Array.isArray(kept) ? kept : []
  const newest = new Map(given.map(service => [service.id, service]))
  const replaced = services.map(service => newest.get(idOf(service)) ?? service)
  const ids = new Set(services.map(idOf))
  return [...replaced, ...[...newest.values()].filter(({ id }) => !ids.has(id))]
}

const idOf = (service: unknown): string =>
  typeof service === 'object' && service !== null && 'id' in service ? String(service.id) : ''

/** The members of an object; none of what is no object, whose fault is found by its schema. */
export const objectIn = (value: JsonValue | undefined): Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
