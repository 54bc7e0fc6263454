import * as z from 'zod'

/** A DID of any method (W3C DID Core 1.0 §3.1), at most 500 characters, without a fragment or query. */
export const didText = z
  .string()
  .max(500)
  .regex(/^did:[a-z0-9]+:(?:[\w.:-]|%[0-9A-Fa-f]{2})*(?:[\w.-]|%[0-9A-Fa-f]{2})$/, 'is not a DID')
