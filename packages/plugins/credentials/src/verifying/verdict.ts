import { z } from 'zod'

/** What is looked at, in this order. */
export const checkNames = ['structure', 'context', 'proof', 'issuer', 'key', 'signature', 'validity', 'status'] as const

/** One of `checkNames`. */
export type CheckName = (typeof checkNames)[number]

/** One thing that was looked at. */
export const check = z.object({
  name: z.enum(checkNames).meta({
    description:
      'structure: it is a credential; context: its words are known; proof: cryptosuite, purpose and times of its proofs; ' +
      'issuer: its DID is resolved, and made the proofs; key: it may sign for the issuer; signature: nothing was altered; ' +
      'validity: its own times; status: neither revoked nor suspended',
  }),
  ok: z.boolean(),
  detail: z.string(),
})

/** The judgement on a credential. */
export const verdict = z.object({
  /** Every check is good. */
  verified: z.boolean(),
  /** What was looked at; where the structure is not that of a credential, or a word is not known, no more than that. */
  checks: z.array(check),
})

export type Check = z.output<typeof check>
export type Verdict = z.output<typeof verdict>

/** A check that is good. */
export const passed = (name: CheckName, detail: string): Check => ({ name, ok: true, detail })

/** A check that is not. @param detail why, safe to show */
export const failed = (name: CheckName, detail: string): Check => ({ name, ok: false, detail })
