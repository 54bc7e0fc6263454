import { z } from 'zod'
import { credentialsContext } from '../contexts/bundled-contexts.ts'
import { dateTimeStamp } from '../proofs/data-integrity-proof.ts'

/** The most proofs of a credential. */
export const maxProofs = 4

/** The most `credentialStatus` entries. */
export const maxStatusEntries = 8

const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) => z.union([item, z.array(item).min(1).max(most)])

const url = z
  .string()
  .max(2000)
  .regex(/^[a-z][a-z0-9+.-]*:\S+$/i, 'is no URL')

const someObject = z.looseObject({}).refine(object => Object.keys(object).length > 0, 'has no members')

/** The form of a secured credential (W3C Verifiable Credentials Data Model 2.0 §4), as far as its meaning rests on it. */
export const credentialForm = z.looseObject({
  '@context': z
    .array(z.unknown())
    .min(1)
    .max(10)
    .refine(([first]) => first === credentialsContext, `does not begin with ${credentialsContext}`),
  id: url.optional(),
  type: z
    .union([z.string().transform(type => [type]), z.array(z.string().max(500)).max(20)])
    .refine(types => types.includes('VerifiableCredential'), 'does not name VerifiableCredential'),
  issuer: z.union([url, z.looseObject({ id: url })]),
  validFrom: dateTimeStamp.optional(),
  validUntil: dateTimeStamp.optional(),
  credentialSubject: oneOrMore(someObject, 100),
  credentialStatus: oneOrMore(
    z.looseObject({ type: z.union([z.string(), z.array(z.string())]) }),
    maxStatusEntries,
  ).optional(),
  proof: oneOrMore(z.looseObject({}), maxProofs),
})

/** A credential whose form is right. */
export type CredentialForm = z.output<typeof credentialForm>

/** The DID, or another URL, of who issued a credential. */
export const issuerOf = ({ issuer }: Pick<CredentialForm, 'issuer'>): string =>
  typeof issuer === 'string' ? issuer : issuer.id
