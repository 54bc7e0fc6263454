import { z } from 'zod'
import { credentialsContext, earlierContext, undefinedTermsContext } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { dateTimeStamp } from '../proofs/data-integrity-proof.ts'

/** Maximum number of proofs of a credential. */
export const maxProofs = 4

/** Maximum number of `credentialStatus` entries. */
const maxStatusEntries = 8

const oneOrMore = <Item extends z.ZodType>(item: Item, max: number) => z.union([item, z.array(item).min(1).max(max)])

const url = z
  .string()
  .max(2000)
  .regex(/^[a-z][a-z0-9+.-]*:\S+$/i, 'is not a URL')

const someObject = z.looseObject({}).refine(object => Object.keys(object).length > 0, 'has no members')

const typeName = z.string().min(1).max(500)
const types = z.union([typeName, z.array(typeName).min(1).max(20)])

/** An extension point (§4.9 to §4.13, §5): an object with a `type`, whose `id` is a URL. */
const typed = z.looseObject({ id: url.optional(), type: types })

/** One piece of evidence (§5.6). */
export const evidenceEntry = typed

const languageText = z.strictObject({
  '@value': z.string(),
  '@language': z
    .string()
    .regex(/^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i, 'is not a language tag')
    .optional(),
  '@direction': z.enum(['ltr', 'rtl']).nullable().optional(),
})

/** Text for people: in an unnamed language, in a named one, or in several. */
const text = z.union([z.string(), languageText, z.array(languageText).min(1).max(100)])

/** A resource that a credential refers to (§5.3), with its digest. */
const relatedResource = z
  .looseObject({ id: url, digestSRI: z.string().optional(), digestMultibase: z.string().optional() })
  .refine(resource => (resource.digestSRI ?? resource.digestMultibase) !== undefined, 'has no digest')

/** Maximum number of entries of an extension point. */
const maxEntries = 100

/** Schema of a secured credential (W3C Verifiable Credentials Data Model 2.0 §4 and §5). */
export const credentialForm = z
  .looseObject({
    '@context': z
      .array(z.unknown())
      .min(1)
      .max(10)
      .refine(
        ([first]) => first === credentialsContext || first === earlierContext,
        `does not begin with ${credentialsContext}`,
      ),
    id: url.optional(),
    type: z
      .union([typeName.transform(type => [type]), z.array(typeName).max(20)])
      .refine(types => types.includes('VerifiableCredential'), 'does not name VerifiableCredential'),
    name: text.optional(),
    description: text.optional(),
    issuer: z.union([url, z.looseObject({ id: url, name: text.optional(), description: text.optional() })]),
    validFrom: dateTimeStamp.optional(),
    validUntil: dateTimeStamp.optional(),
    /** Those of Data Model 1.1. */
    issuanceDate: dateTimeStamp.optional(),
    expirationDate: dateTimeStamp.optional(),
    credentialSubject: oneOrMore(z.looseObject({ id: url.optional() }).pipe(someObject), maxEntries),
    credentialStatus: oneOrMore(typed, maxStatusEntries).optional(),
    credentialSchema: oneOrMore(z.looseObject({ id: url, type: types }), maxEntries).optional(),
    evidence: oneOrMore(evidenceEntry, maxEntries).optional(),
    termsOfUse: oneOrMore(typed, maxEntries).optional(),
    refreshService: oneOrMore(typed, maxEntries).optional(),
    relatedResource: oneOrMore(relatedResource, maxEntries).optional(),
    proof: oneOrMore(z.looseObject({}), maxProofs),
  })
  .refine(form => form['@context'][0] !== earlierContext || form.issuanceDate !== undefined, {
    path: ['issuanceDate'],
    message: 'is missing',
  })
  .refine(
    ({ validFrom, validUntil }) =>
      validFrom === undefined || validUntil === undefined || Date.parse(validFrom) <= Date.parse(validUntil),
    { path: ['validUntil'], message: 'is before validFrom' },
  )

/** A credential that matches the schema. */
export type CredentialForm = z.output<typeof credentialForm>

/** Returns the DID, or another URL, of the issuer of a credential. */
export const issuerOf = ({ issuer }: Pick<CredentialForm, 'issuer'>): string =>
  typeof issuer === 'string' ? issuer : issuer.id

/**
 * Returns the problem of a document's contexts; undefined if they are valid. Contexts define the meaning of its terms,
 * so all must be known (W3C Data Integrity 1.0 §4.6), and none may be nested inside the document.
 *
 * @param known URLs
 */
export const contextViolation = (document: JsonObject, known: readonly string[]): string | undefined => {
  const contexts = [document['@context'] ?? []].flat()
  for (const [place, context] of contexts.entries()) {
    if (typeof context !== 'string')
      return `@context/${place} is not a URL; contexts inside the document are not accepted`
    if (!known.includes(context))
      return `the context ${context.slice(0, 200)} is unknown here, and contexts are not fetched`
    if (context === undefinedTermsContext && place < contexts.length - 1) return `${context} must be the last context`
  }
  const { '@context': _, proof: __, ...rest } = document
  return hasContext(rest) ? 'there is a nested @context inside the document' : undefined
}

const hasContext = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '@context') || Object.values(value).some(hasContext))
