import { fillArguments } from './fill-arguments.ts'
import { type JsonSchema, type OfflineCatalogEntry, placeholdersOf, toolInput, wordingsOf } from './offline-catalog.ts'

/** A text that a person may send, and the call that an oracle is expected to make for it. */
export interface ExpectedCall {
  readonly text: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Values by placeholder, for those that a sample made from the schema alone does not suit. */
export type SampleValues = Readonly<Record<string, string>>

/**
 * Every wording of every example of a plugin with sample values in its placeholders, and the call it stands for. The
 * samples come from `samples`, else from the schema: its `examples`, choices, limits and formats.
 *
 * @throws Error when an example names an unknown tool, or no sample suits the tool's input; it names both.
 *
 * @example
 * for (const { text, tool, args } of expectedCalls(entry, { did: 'did:key:z6Mk...' })) { ... }
 */
export const expectedCalls = (entry: OfflineCatalogEntry, samples: SampleValues = {}): readonly ExpectedCall[] =>
  (entry.manifest.examples ?? []).flatMap(example => {
    const tool = entry.tools.find(one => one.name === example.tool)
    if (!tool)
      throw new Error(
        `'${entry.name}': the example “${wordingsOf(example)[0]}” names a tool that it does not have: '${example.tool}'`,
      )
    const input = toolInput(tool)
    return wordingsOf(example).map(wording => {
      const values = Object.fromEntries(
        placeholdersOf(wording).map(name => [
          name,
          samples[name] ?? sampleOf(schemaOf(name, example.args, input.schema)),
        ]),
      )
      const filled = fillArguments({ entry, example, values }, input)
      if ('ask' in filled) {
        const reason = filled.fault ?? 'no wording provides it'
        throw new Error(`'${entry.name}': “${wording}” does not call '${tool.name}': '${filled.ask}': ${reason}`)
      }
      const text = wording.replace(/\{([A-Za-z_]\w*)\}/g, (_, name: string) => values[name] ?? '')
      return { text, tool: tool.name, args: filled.args }
    })
  })

/** The schema of the place in the arguments that takes the placeholder as it is, also deep inside. */
const schemaOf = (name: string, args: unknown, schema: JsonSchema | boolean | undefined): JsonSchema | undefined => {
  const known = typeof schema === 'object' ? schema : undefined
  if (args === `{${name}}`) return known
  if (typeof args !== 'object' || args === null) return undefined
  const items = Array.isArray(known?.items) ? known.items[0] : known?.items
  for (const [property, value] of Object.entries(args)) {
    const inner = Array.isArray(args) ? items : (known?.properties?.[property] ?? known?.additionalProperties)
    const found = schemaOf(name, value, inner)
    if (found) return found
  }
  return undefined
}

const formats = new Map([
  ['date', '2026-11-21'],
  ['date-time', '2026-11-21T12:00:00Z'],
  ['time', '12:00:00'],
  ['duration', 'PT1H'],
  ['email', 'ada@example.org'],
  ['uri', 'https://example.org/page'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['ipv4', '192.0.2.1'],
])

const sampleOf = (schema: JsonSchema | boolean | undefined): string => {
  if (typeof schema !== 'object') return 'Berlin'
  const given = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return String(given)
  const inner = (schema.anyOf ?? schema.oneOf)?.[0]
  if (inner !== undefined) return sampleOf(inner)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'integer' || type === 'number') return String(numberWithin(schema))
  if (type === 'boolean') return 'yes'
  if (type === 'array') return sampleOf(Array.isArray(schema.items) ? schema.items[0] : schema.items)
  return formats.get(schema.format ?? '') ?? 'Berlin'.padEnd(schema.minLength ?? 0, 'n')
}

/** 3, or the nearest to it that the limits allow. */
const numberWithin = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): number => {
  const least = minimum ?? (exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
  const max = maximum ?? (exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1)
  return Math.max(least, Math.min(max, 3))
}
