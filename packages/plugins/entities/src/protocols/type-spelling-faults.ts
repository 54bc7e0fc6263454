import type { Fault } from '@sibyl/protocol'
import { organisationTypes } from './organisation-types.ts'
import { typeKey } from './type-key.ts'

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
