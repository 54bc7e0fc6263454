import { didText, jsonValue, storable } from '@sibyl/protocol'
import * as z from 'zod'
import { collectionId } from './collection-records.ts'
import { brokenText, words } from './words.ts'

/** Where a claim stands: from `submitted` over `evaluating` to a decision, and after a dispute to its end. */
export const claimStates = [
  'submitted',
  'evaluating',
  'approved',
  'rejected',
  'disputed',
  'upheld',
  'invalidated',
] as const

/** One of `claimStates`. */
export const claimState = z.enum(claimStates)

/** Transitions of a claim; `judge` records a verdict that waits for a person, `give-up` a failed one. */
export const claimAction = z.enum([
  'submit',
  'evaluate',
  'judge',
  'give-up',
  'approve',
  'reject',
  'dispute',
  'uphold',
  'invalidate',
])

/** A file or record that a claim rests on, by its content alone. It is never fetched. */
export const evidenceEntry = z.strictObject({
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits in lower case'),
  mediaType: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as image/jpeg'),
  name: words(1, 200).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .refine(storable, brokenText)
    .optional(),
})

/** The body of `POST /v1/claims`. */
export const claimCreation = z.strictObject({
  collection: collectionId,
  /** The DID of the entity that it is about. Needed where the collection has a protocol. */
  asset: didText.optional(),
  /** The kind of claim. @default 'claim' */
  type: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter, and have letters, digits, _ and - alone')
    .optional(),
  data: z.record(z.string().max(64), jsonValue),
  evidence: z.array(evidenceEntry).max(50).optional(),
})

/** The result of judging a claim. */
export const claimVerdict = z.object({
  decision: z.enum(['approve', 'reject', 'unsure']),
  reasons: z.array(z.string()),
  checks: z.array(
    z.object({
      id: z.string(),
      /** The owner of the check. */
      of: z.enum(['protocol', 'collection', 'agent']),
      passed: z.boolean(),
      reason: z.string().optional(),
    }),
  ),
  method: z.enum(['rules', 'agent', 'person']),
  /** The DID of who judged. */
  by: z.string(),
  at: z.iso.datetime(),
})

/** A claim as routes answer it. */
export const claimRecord = z.object({
  id: z.string(),
  /** Its node in the graph: `urn:uuid:` and its id. */
  uri: z.string(),
  collection: z.string(),
  asset: z.string().optional(),
  type: z.string(),
  data: z.record(z.string(), jsonValue),
  evidence: z.array(evidenceEntry),
  /** The DID of who submitted it; of a person on a phone a pairwise one. */
  submitter: z.string(),
  /** The channel of the claim: `api`, `chat`, or that of the reporting person, such as `ussd`. */
  channel: z.string(),
  /** The protocol whose rubric holds for it, as its asset followed it when it was submitted. */
  protocol: z.string().optional(),
  protocolVersion: z.int().optional(),
  state: claimState,
  /** The latest verdict. In the state `evaluating` it waits for a person. */
  verdict: claimVerdict.optional(),
  /** The decision; `overruled` if a person decided against the verdict. */
  decision: z.object({ by: z.string(), at: z.iso.datetime(), overruled: z.boolean() }).optional(),
  /** Of a claim that was approved; `missing`: no plugin was there that issues credentials. */
  credential: z.object({ status: z.enum(['issued', 'revoked', 'missing']), id: z.string().optional() }).optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

/** One step of a claim. */
export const claimTransition = z.object({
  /** Counts its steps, from 1. */
  position: z.int(),
  action: claimAction,
  from: claimState.optional(),
  to: claimState,
  /** The DID of who caused it. */
  by: z.string(),
  at: z.iso.datetime(),
  why: z.string().optional(),
  protocol: z.string().optional(),
  protocolVersion: z.int().optional(),
})

/** Decisions about a claim, each a route below it. */
export const claimDecision = z.enum(['evaluate', 'confirm', 'dispute', 'resolve'])

/** Evidence that the submitter stored at this oracle: a link without the host, which holds for some minutes. */
export const storedEvidence = z.object({ hash: evidenceEntry.shape.hash, link: z.string() })

/** A claim with its steps, the first one first. */
export const claimDetails = claimRecord.extend({
  transitions: z.array(claimTransition),
  /** Decisions that are open in its state and allowed to the caller by its roles. */
  allowed: z.array(claimDecision).optional(),
  stored: z.array(storedEvidence).optional(),
})

const reason = words(3, 1000)

/** The body of `POST /v1/claims/:id/confirm`; a reason is needed where the decision is another than the verdict's. */
export const claimConfirmation = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  reason: reason.optional(),
})

/** The body of `POST /v1/claims/:id/dispute`. */
export const claimDispute = z.strictObject({ reason })

/** The body of `POST /v1/claims/:id/resolve`: whether the disputed decision stands. */
export const claimResolution = z.strictObject({ resolution: z.enum(['uphold', 'invalidate']), reason })

export type ClaimState = z.infer<typeof claimState>
export type ClaimDecision = z.infer<typeof claimDecision>
export type ClaimAction = z.infer<typeof claimAction>
export type StoredEvidence = z.infer<typeof storedEvidence>
export type EvidenceEntry = z.infer<typeof evidenceEntry>
export type ClaimCreation = z.infer<typeof claimCreation>
export type ClaimVerdict = z.infer<typeof claimVerdict>
export type ClaimRecord = z.infer<typeof claimRecord>
export type ClaimTransition = z.infer<typeof claimTransition>
export type ClaimDetails = z.infer<typeof claimDetails>
export type ClaimConfirmation = z.infer<typeof claimConfirmation>
