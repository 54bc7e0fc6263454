import { z } from 'zod'

/** Checks, in the order in which they run. */
const checkNames = ['structure', 'context', 'proof', 'issuer', 'key', 'signature', 'validity', 'status'] as const

export type CheckName = (typeof checkNames)[number]

export const check = z.object({
  name: z.enum(checkNames).meta({
    description:
      'structure: it is a credential; context: its contexts are known; proof: cryptosuite, purpose and times of its proofs; ' +
      'issuer: its DID is resolved and made the proofs; key: it may sign for the issuer; signature: the content is unaltered; ' +
      'validity: its own times; status: neither revoked nor suspended',
  }),
  ok: z.boolean(),
  detail: z.string(),
})

/** Verdict on a credential. */
export const verdict = z.object({
  /** True if every check passed. */
  verified: z.boolean(),
  /** Results of the checks; if structure or context failed, only these. */
  checks: z.array(check),
})

export type Check = z.output<typeof check>
export type Verdict = z.output<typeof verdict>

export const passed = (name: CheckName, detail: string): Check => ({ name, ok: true, detail })

/** Creates the result of a check that failed. @param detail the reason, safe to show */
export const failed = (name: CheckName, detail: string): Check => ({ name, ok: false, detail })
