import { typeKey } from './type-key.ts'

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
