import type { DomainClass } from '@sibyl/protocol'
import { organisationTypes } from './organisation-types.ts'
import type { ProtocolDefinition } from './protocol-definition.ts'
import { typeKey } from './type-key.ts'

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
