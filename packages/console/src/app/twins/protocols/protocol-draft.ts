import type { RubricCondition } from '@sibyl/plugin-claims/records'
import type { DomainClass } from '@sibyl/plugin-entities/records'
import type { PropertyRule } from '@sibyl/protocol'
import { isObject } from '../../api/is-object.ts'

/** A protocol as routes take and return it. */
export interface ProtocolDocument {
  /** Rules by name. */
  readonly properties: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, string>>
  readonly claim?: unknown
  readonly domainClass?: DomainClass
}

/** A field of a form. `id` stays while its name changes. */
export interface Field {
  readonly id: number
  readonly name: string
  readonly rule: PropertyRule
}

export interface Relationship {
  readonly id: number
  readonly name: string
  readonly kind: string
}

export interface Condition {
  readonly id: number
  readonly condition: RubricCondition
}

/** A protocol that is being edited: lists instead of members by name, so that names can change. */
export interface ProtocolDraft {
  readonly properties: readonly Field[]
  readonly claimProperties: readonly Field[]
  readonly rubric: readonly Condition[]
  readonly relationships: readonly Relationship[]
  readonly domainClass: DomainClass | undefined
}

/** Returns the draft of a document; undefined if the document does not have the form of a protocol. */
export const draftOf = (document: unknown): ProtocolDraft | undefined => {
  if (!isObject(document)) return undefined
  const { properties = {}, relationships = {}, claim = {}, domainClass } = document
  if (!isObject(claim)) return undefined
  const [own, ofClaims] = [fieldsOf(properties), fieldsOf(claim.properties ?? {})]
  const rubric = claim.rubric ?? []
  if (!own || !ofClaims || !isObject(relationships) || !Array.isArray(rubric) || !rubric.every(isObject))
    return undefined
  return {
    properties: own,
    claimProperties: ofClaims,
    rubric: rubric.map((condition, id) => ({ id, condition: condition as unknown as RubricCondition })),
    relationships: Object.entries(relationships).map(([name, kind], id) => ({ id, name, kind: String(kind) })),
    domainClass: domainClass as DomainClass | undefined,
  }
}

/** Returns the document of a draft. Of fields with the same name the last one counts; `repeatedNames` finds them. */
export const documentOf = (draft: ProtocolDraft): ProtocolDocument => {
  const claim = {
    ...(draft.claimProperties.length > 0 ? { properties: rulesOf(draft.claimProperties) } : {}),
    ...(draft.rubric.length > 0 ? { rubric: draft.rubric.map(({ condition }) => condition) } : {}),
  }
  return {
    properties: rulesOf(draft.properties),
    relationships: Object.fromEntries(draft.relationships.map(({ name, kind }) => [name, kind])),
    ...(Object.keys(claim).length > 0 ? { claim } : {}),
    ...(draft.domainClass === undefined ? {} : { domainClass: draft.domainClass }),
  }
}

/** Returns the names that a list has more than once. */
export const repeatedNames = (list: readonly { readonly name: string }[]): ReadonlySet<string> => {
  const names = list.map(({ name }) => name)
  return new Set(names.filter((name, index) => names.indexOf(name) < index))
}

/** Returns an id for a new entry of a list. */
export const nextId = (list: readonly { readonly id: number }[]): number =>
  Math.max(-1, ...list.map(({ id }) => id)) + 1

const types: readonly unknown[] = ['string', 'number', 'boolean', 'object', 'array']

const fieldsOf = (rules: unknown): readonly Field[] | undefined => {
  if (!isObject(rules)) return undefined
  const fields = Object.entries(rules).map(([name, rule], id) => ({
    id,
    name,
    rule: (types.includes(rule) ? { type: rule } : rule) as PropertyRule,
  }))
  return fields.every(({ rule }) => isObject(rule) && types.includes(rule.type)) ? fields : undefined
}

const rulesOf = (fields: readonly Field[]): Record<string, PropertyRule> =>
  Object.fromEntries(fields.map(({ name, rule }) => [name, rule]))
