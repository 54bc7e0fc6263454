import type { Tool } from '@sibyl/plugin'
import { z } from 'zod'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Schema = Readonly<Record<string, unknown>>

/** A call of a tool whose input has a text of its own wherever it may have a text. */
export interface CanaryCall {
  readonly tool: string
  readonly input: { readonly [name: string]: Json }
  /** The texts, in any place of the input; those that a schema prescribes are not among them. */
  readonly canaries: readonly string[]
}

/** Texts that schemas accept, from the freest to special forms. Each has the number of its place. */
const forms: readonly ((place: string) => string)[] = [
  place => `canary ${place}`,
  place => `Canary${place}`,
  place => `did:web:canary${place}.example`,
  place => `+2609712${place}`,
  place => `urn:uuid:0199d8a2-7c2e-7d4b-9c40-51b1f7a${place}`,
  place => `https://canary.example/${place}`,
  place => `canary-${place}.md`,
  place => `canary-${place}`,
  place => `t00000${place}`,
  place => `f0000000${place}`,
  place => `0${place}`,
  place => `sha256:${place.padStart(64, '0')}`,
  place => `text/canary.${place}`,
  () => '2027-01-01',
  () => '2027-01-01T07:00:00Z',
  () => '07:00',
  () => 'Africa/Lusaka',
  () => 'sw',
  () => 'day',
]

/** Creates a valid call of a tool. Throws if no form of a text fits. @param first Number of its first text, of five digits. */
export const canaryCall = (tool: string, { input }: Tool, first: number): CanaryCall => {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  const chosen = new Map<string, number>()
  let issues: readonly z.core.$ZodIssue[] = []
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const canaries: string[] = []
    const value = sampleOf(schema, [], { root: schema, first, chosen, canaries }) as CanaryCall['input']
    const parsed = input.safeParse(value)
    if (parsed.success) return { tool, input: value, canaries }
    issues = parsed.error.issues
    for (const at of new Set(issues.map(({ path }) => JSON.stringify(path)))) chosen.set(at, (chosen.get(at) ?? 0) + 1)
  }
  throw new Error(`No input was found for ${tool}: ${z.prettifyError({ issues })}`)
}

interface Sample {
  readonly root: Schema
  readonly first: number
  /** How often the value at a path was not valid. */
  readonly chosen: ReadonlyMap<string, number>
  readonly canaries: string[]
}

const sampleOf = (schema: Schema, path: readonly (string | number)[], sample: Sample): Json => {
  const { root, first, chosen, canaries } = sample
  const tried = chosen.get(JSON.stringify(path)) ?? 0
  const note = (text: string): string => {
    canaries.push(text)
    return text
  }
  const place = `${first + canaries.length}`
  if (typeof schema.$ref === 'string') {
    const found = schema.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at as Schema)[name], root)
    return sampleOf(found as Schema, path, sample)
  }
  if ('const' in schema) return schema.const as Json
  if (Array.isArray(schema.enum)) return note(String(schema.enum[tried % schema.enum.length]))
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (options) {
    const text = options.find(({ type }) => type === 'string')
    const option = text && tried < forms.length ? text : options[tried % options.length]
    return sampleOf(option!, path, sample)
  }
  switch (schema.type) {
    case 'object': {
      const { properties = {}, additionalProperties } = schema as {
        properties?: Readonly<Record<string, Schema>>
      } & Schema
      const members = Object.entries(properties).map(([name, one]) => [name, sampleOf(one, [...path, name], sample)])
      if (members.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(members)
      const name = note(`member${place}`)
      return { [name]: sampleOf(additionalProperties as Schema, [...path, name], sample) }
    }
    case 'array':
      return [sampleOf((schema.items ?? {}) as Schema, [...path, 0], sample)]
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return note(forms[tried % forms.length]!(place))
  }
}
