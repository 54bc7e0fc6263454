import type { Violation } from '@sibyl/protocol'
import type { DomainClass } from './entity-members.ts'
import type { ProtocolDefinition } from './protocol-definition.ts'

/**
 * Returns a type in the form for comparison: without case, hyphens and the suffix `Entity`.
 *
 * @example
 * typeKey('OracleEntity') === typeKey('oracle') // true
 */
export const typeKey = (type: string): string => {
  const plain = type.toLowerCase().replaceAll(/[-_]/g, '')
  return plain.endsWith('entity') && plain !== 'entity' ? plain.slice(0, -'entity'.length) : plain
}

/**
 * The types of organizational domains: they always have membership groups, and count as an Organisation in
 * relationships.
 */
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

/** Returns whether entities of a type are organizational domains. */
export const isOrganisationType = (type: string): boolean => organisationTypes.includes(type)

/** Returns whether a type counts as another in relationships: every organizational type counts as an Organisation. */
export const countsAsType = (type: string, kind: string): boolean => {
  const [own, wanted] = [typeKey(type), typeKey(kind)]
  return wanted === 'organisation' || wanted === 'organization' ? keys.has(own) : own === wanted
}

/** The types whose entities have rules of their own, by `typeKey`. */
const ruled = new Map([...organisationTypes, 'MembershipGroup', 'Protocol'].map(type => [typeKey(type), type]))

/**
 * Returns the problem of a type that is another form of one with rules of its own, such as `organisationEntity`: it
 * would count as that type in relationships, but without its rules.
 */
export const typeFormViolations = (type: string): readonly Violation[] => {
  const written = ruled.get(typeKey(type))
  if (written === undefined || written === type) return []
  return [
    {
      path: '/type',
      code: 'type_misspelt',
      message: `Write it as ${written}, because such entities have rules of their own.`,
    },
  ]
}

/** The types whose class the interface specification defines, by `typeKey`. */
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

/** Returns the class of an entity: that of its type if known, else that of its protocol, else Physical Twins. */
export const domainClassOf = (type: string, definition: ProtocolDefinition | undefined): DomainClass => {
  const key = typeKey(type)
  if (key.startsWith('oracle') || key.endsWith('oracle')) return 'Oracle Twins'
  return classOfType.get(key) ?? definition?.domainClass ?? 'Physical Twins'
}
