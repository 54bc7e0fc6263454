import type { DomainClass } from '@sibyl/plugin-entities/records'

/** The classes of entities; the oracle has the same list. */
export const domainClasses: readonly DomainClass[] = [
  'Physical Twins',
  'Cognitive Twins',
  'Twin Systems',
  'Oracle Twins',
]
