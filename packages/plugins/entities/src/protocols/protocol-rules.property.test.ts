import type { JsonValue, PropertyRule } from '@sibyl/protocol'
import { expect, it } from 'vitest'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { seededNumbers } from '../records/seeded-numbers.test.helper.ts'
import { protocolRules } from './protocol-rules.ts'

const defined = (properties: unknown): ProtocolDefinition => {
  const definition = protocolRules.parse({ properties, relationships: {} }, { did: 'did:web:localhost', version: 1 })
  if ('faults' in definition) throw new Error(JSON.stringify(definition.faults))
  return definition
}

it('valid properties have no problem, and an invalid one has only its own', () => {
  const random = seededNumbers(11)
  for (let round = 0; round < 500; round += 1) {
    const rules = Array.from({ length: 1 + random(5) }, (_, at) => [`p${at}`, randomRule(random, 3)])
    const definition = defined(Object.fromEntries(rules))
    const fitting = fittingObject(definition.properties, random)
    expect(protocolRules.check(definition, fitting)).toEqual([])
    const spot = spoiled(definition.properties, fitting, '/properties', random)
    if (spot) expect(protocolRules.check(definition, spot.properties).map(({ path }) => path)).toEqual([spot.path])
  }
})

type Random = (below: number) => number

const randomRule = (random: Random, depth: number): PropertyRule => {
  const required = random(2) === 0 ? { required: true } : {}
  switch (random(depth > 0 ? 5 : 3)) {
    case 0:
      return { type: 'string', minLength: 1, maxLength: 1 + random(5), ...required }
    case 1:
      return { type: 'number', minimum: -random(10), maximum: random(10), ...required }
    case 2:
      return { type: 'boolean', ...required }
    case 3: {
      const names = Array.from({ length: random(4) }, (_, at) => [`m${at}`, randomRule(random, depth - 1)])
      return { type: 'object', properties: Object.fromEntries(names), ...required }
    }
    default: {
      const { required: _, ...items } = randomRule(random, depth - 1)
      return { type: 'array', minLength: 1, maxLength: 3, items, ...required }
    }
  }
}

const fittingObject = (rules: Readonly<Record<string, PropertyRule>>, random: Random): Record<string, JsonValue> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      rule.required || random(3) > 0 ? [[name, fittingValue(rule, random)] as const] : [],
    ),
  )

const fittingValue = (rule: PropertyRule, random: Random): JsonValue => {
  switch (rule.type) {
    case 'string':
      return '字'.repeat(rule.minLength! + random(rule.maxLength! - rule.minLength! + 1))
    case 'number':
      return rule.minimum! + random(rule.maximum! - rule.minimum! + 1)
    case 'boolean':
      return random(2) === 0
    case 'object':
      return fittingObject(rule.properties!, random)
    case 'array':
      return Array.from({ length: 1 + random(3) }, () => fittingValue(rule.items!, random))
  }
}

/** Fitting properties with one spoiled, and the path of that. */
const spoiled = (
  rules: Readonly<Record<string, PropertyRule>>,
  fitting: Record<string, JsonValue>,
  path: string,
  random: Random,
): { readonly properties: Record<string, JsonValue>; readonly path: string } | undefined => {
  const names = Object.keys(fitting)
  if (names.length === 0) return { properties: { extra: 1 }, path: `${path}/extra` }
  const name = names[random(names.length)]!
  const rule = rules[name]!
  const place = `${path}/${name}`
  if (rule.type === 'object' && random(3) > 0) {
    const inner = spoiled(rule.properties!, fitting[name] as Record<string, JsonValue>, place, random)
    return inner && { properties: { ...fitting, [name]: inner.properties }, path: inner.path }
  }
  const { [name]: _, ...without } = fitting
  if (rule.required && random(2) === 0) return { properties: without, path: place }
  const wrong: Record<PropertyRule['type'], JsonValue> = {
    string: '字'.repeat((rule.maxLength ?? 0) + 1),
    number: (rule.maximum ?? 0) + 0.5,
    boolean: 'true',
    object: [],
    array: [],
  }
  return { properties: { ...fitting, [name]: wrong[rule.type] }, path: place }
}
