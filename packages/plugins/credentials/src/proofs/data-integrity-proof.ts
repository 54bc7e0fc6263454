import { z } from 'zod'

/** The supported cryptosuites of W3C Data Integrity EdDSA Cryptosuites 1.0. */
export const cryptosuites = ['eddsa-jcs-2022', 'eddsa-rdfc-2022'] as const

/** Returns whether the month of a date has that day. `Date` does not check this: it reads April 31 as May 1. */
const isInMonth = (text: string): boolean => {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number)
  return day! <= new Date(Date.UTC(2000 + (year! % 400), month!, 0)).getUTCDate()
}

/** A time with its zone (`xsd:dateTimeStamp`): `2026-11-21T09:30:00Z`. */
export const dateTimeStamp = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/, 'is not a time with a time zone')
  .refine(text => !Number.isNaN(Date.parse(text)) && isInMonth(text), 'is not a valid time')

/** A proof of W3C Data Integrity 1.0 §2.1, made with one of `cryptosuites`. Additional members are signed with it. */
export const dataIntegrityProof = z.looseObject({
  id: z.string().max(500).optional(),
  type: z.literal('DataIntegrityProof'),
  cryptosuite: z.enum(cryptosuites),
  created: dateTimeStamp.optional(),
  expires: dateTimeStamp.optional(),
  verificationMethod: z.string().max(4_000),
  proofPurpose: z.string().max(100),
  /** Multibase base58btc of the 64 bytes of an Ed25519 signature. */
  proofValue: z
    .string()
    .max(100)
    .regex(/^z[1-9A-HJ-NP-Za-km-z]+$/, 'is not base58btc with a leading z'),
  previousProof: z.undefined('chains of proofs are not supported').optional(),
})

/** A proof that matches the schema. */
export type DataIntegrityProof = z.output<typeof dataIntegrityProof>
