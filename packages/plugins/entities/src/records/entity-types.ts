import type { DomainClass, Fault } from '@sibyl/protocol'
import type { ProtocolDefinition } from './protocol-definition.ts'

/**
 * Returns the form in which types are compared: without case, hyphens and the suffix `Entity`.
 *
 * @example
 * typeKey('OracleEntity') === typeKey('oracle') // true
 */
export const typeKey = (type: string): string => {
  const plain = type.toLowerCase().replaceAll(/[-_]/g, '')
  return plain.endsWith('entity') && plain !== 'entity' ? plain.slice(0, -'entity'.length) : plain
}

/** The types of organisational domains: they always have membership groups, and count as an Organisation in relationships. */
export const organisationTypes: readonly string[] = [
  'Organisation',
  'Organization',
  'Association',
  'Company',
  'Cooperative',
  'Foundation',
  'Institution',
  'NGO',
]

const keys: ReadonlySet<string> = new Set(organisationTypes.map(typeKey))

/** Reports whether entities of a type are organisational domains, with all that follows from it. */
export const isOrganisationType = (type: string): boolean => organisationTypes.includes(type)

/** Reports whether a type counts as another in relationships: every organisational one counts as an Organisation. */
export const countsAsType = (type: string, kind: string): boolean => {
  const [own, wanted] = [typeKey(type), typeKey(kind)]
  return wanted === 'organisation' || wanted === 'organization' ? keys.has(own) : own === wanted
}

/** The types whose entities have rules of their own, by what types are compared by. */
const ruled = new Map([...organisationTypes, 'MembershipGroup', 'Protocol'].map(type => [typeKey(type), type]))

/**
 * The fault of a type that counts as one with rules of its own and is written otherwise, such as `organisationEntity`: it
 * would pass for one in relationships, and have none of its rules.
 */
export const typeSpellingFaults = (type: string): readonly Fault[] => {
  const written = ruled.get(typeKey(type))
  if (written === undefined || written === type) return []
  return [
    { path: '/type', code: 'type_misspelt', message: `Write it as ${written}: such entities have rules of their own.` },
  ]
}

/** The types whose class the interface specification names, as `typeKey` gives them. */
const classOfType = new Map<string, DomainClass>([
  ...[
    ...organisationTypes.map(typeKey),
    'membershipgroup',
    'project',
    'funder',
    'investment',
    'distributor',
    'distributionagent',
    'person',
    'programme',
    'program',
    'protocol',
  ].map(type => [type, 'Cognitive Twins'] as const),
  ...['network', 'system', 'collection', 'market', 'fleet', 'supplychain'].map(type => [type, 'Twin Systems'] as const),
])

/** The class of an entity: that of its type where it is a known one, else what its protocol says, else Physical Twins. */
export const domainClassOf = (type: string, definition: ProtocolDefinition | undefined): DomainClass => {
  const key = typeKey(type)
  if (key.startsWith('oracle') || key.endsWith('oracle')) return 'Oracle Twins'
  return classOfType.get(key) ?? definition?.domainClass ?? 'Physical Twins'
}
