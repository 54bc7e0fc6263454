import { z } from 'zod'
import { didText, memberName } from './entity-records.ts'
import { jsonValue } from './json-value.ts'

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

/** What moves a claim from state to state; `judge` notes a verdict that waits for a person, `give-up` one that failed. */
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

/** The operators of a rubric's conditions. */
export const conditionOperators = [
  'equals',
  'not-equals',
  'at-least',
  'at-most',
  'more-than',
  'less-than',
  'one-of',
  'contains',
  'exists',
] as const

const brokenText = 'may not have the character NUL or half of a surrogate pair'

/** Text that any database can keep. */
const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const words = (min: number, max: number) => z.string().trim().min(min).max(max).refine(storable, brokenText)

const scalar = z.union([z.string().max(500).refine(storable, brokenText), z.number(), z.boolean()])

/** A condition over a claim's data: `{ id: 'used', path: '/hours', operator: 'at-least', value: 1, reason: '…' }`. */
export const rubricCondition = z.strictObject({
  id: memberName,
  /** An RFC 6901 JSON Pointer into the claim's data. */
  path: z
    .string()
    .max(500)
    .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON Pointer such as /hours')
    .refine(storable, brokenText),
  operator: z.enum(conditionOperators),
  /** What it is compared with: a number, a text, true or false, or a list of them for `one-of`. */
  value: z.union([scalar, z.array(scalar).min(1).max(100)]).optional(),
  /** Why a claim that does not meet it is refused, in words for people. */
  reason: words(1, 300),
})

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

/** How many claims a collection takes. */
export const claimQuota = z.strictObject({
  /** @default without a limit */
  all: z.int().min(0).max(1_000_000_000).optional(),
  /** @default without a limit */
  perAsset: z.int().min(1).max(1_000_000_000).optional(),
})

/** The id of a collection. */
export const collectionId = z
  .string()
  .max(64)
  .regex(/^[\w-]+$/, 'must have letters, digits, _ and - alone')

/** Types of the standard itself, which say nothing of what a credential is about. */
const standardTypes: readonly string[] = [
  'VerifiableCredential',
  'VerifiablePresentation',
  'BitstringStatusListCredential',
]

/** The type of a credential beside `VerifiableCredential`. */
const credentialTypeName = z
  .string()
  .max(64)
  .regex(/^[A-Z][A-Za-z0-9]*$/, 'must be a name such as CleanCookingCredential')
  .refine(type => !standardTypes.includes(type), 'may not be a type of the standard itself')

const time = z.iso.datetime({ offset: true })

/** The body of `POST /v1/collections`. */
export const collectionCreation = z.strictObject({
  title: words(1, 100),
  /** The DID of the protocol that its assets follow. @default claims about any entity, or about none */
  protocol: didText.optional(),
  quota: claimQuota.optional(),
  opensAt: time.optional(),
  closesAt: time.optional(),
  /** `controllers`: of the assets. @default 'controllers' */
  submitters: z.union([z.enum(['controllers', 'anyone']), z.array(didText).min(1).max(100)]).optional(),
  /** @default 'oracle' */
  evaluators: z.union([z.literal('oracle'), z.array(didText).min(1).max(100)]).optional(),
  /** @default 'rules' */
  evaluation: z.enum(['rules', 'agent', 'person']).optional(),
  /** Whether a verdict waits until a person confirms or overrules it. @default false */
  confirm: z.boolean().optional(),
  /** Conditions besides those of the protocol; all must hold. */
  conditions: z.array(rubricCondition).max(50).optional(),
  /** What the agent is to look at. */
  guidance: words(1, 2000).optional(),
  /** The DID of the Oracle Twin that verifies its claims, for the graph. */
  verifier: didText.optional(),
  /** The type of the credentials that follow. @default 'ClaimCredential' */
  credentialType: credentialTypeName.optional(),
})

/** The body of `PATCH /v1/collections/:id`; null removes, and what is not said stays, also in the quota. */
export const collectionPatch = z.strictObject({
  closed: z.boolean().optional(),
  quota: claimQuota
    .extend({ all: claimQuota.shape.all.nullable(), perAsset: claimQuota.shape.perAsset.nullable() })
    .nullable()
    .optional(),
  opensAt: time.nullable().optional(),
  closesAt: time.nullable().optional(),
})

/** A collection as routes answer it. */
export const collectionRecord = z.object({
  id: z.string(),
  title: z.string(),
  controller: z.string(),
  protocol: z.string().optional(),
  quota: claimQuota,
  /** How many claims it has taken. */
  taken: z.int(),
  opensAt: z.iso.datetime().optional(),
  closesAt: z.iso.datetime().optional(),
  closed: z.boolean(),
  submitters: z.union([z.enum(['controllers', 'anyone']), z.array(z.string())]),
  evaluators: z.array(z.string()),
  evaluation: z.enum(['rules', 'agent', 'person']),
  confirm: z.boolean(),
  conditions: z.array(rubricCondition),
  guidance: z.string().optional(),
  verifier: z.string().optional(),
  credentialType: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

/** The body of `POST /v1/claims`. */
export const claimCreation = z.strictObject({
  collection: collectionId,
  /** The DID of the entity that it is about. Needed where the collection has a protocol. */
  asset: didText.optional(),
  /** What kind of claim it is. @default 'claim' */
  type: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter, and have letters, digits, _ and - alone')
    .optional(),
  data: z.record(z.string().max(64), jsonValue),
  evidence: z.array(evidenceEntry).max(50).optional(),
})

/** What was found when a claim was judged. */
export const claimVerdict = z.object({
  decision: z.enum(['approve', 'reject', 'unsure']),
  reasons: z.array(z.string()),
  checks: z.array(
    z.object({
      id: z.string(),
      /** Whose check it is. */
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
  /** How it came in: `api`, `chat`, or the channel of a person who reported it, such as `ussd`. */
  channel: z.string(),
  /** The protocol whose rubric holds for it, as its asset followed it when it was submitted. */
  protocol: z.string().optional(),
  protocolVersion: z.int().optional(),
  state: claimState,
  /** The latest verdict. In the state `evaluating` it waits for a person. */
  verdict: claimVerdict.optional(),
  /** Who decided; `overruled` where a person decided otherwise than the verdict said. */
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

/** A claim with its steps, the first one first. */
export const claimDetails = claimRecord.extend({ transitions: z.array(claimTransition) })

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
export type ClaimAction = z.infer<typeof claimAction>
export type RubricCondition = z.infer<typeof rubricCondition>
export type EvidenceEntry = z.infer<typeof evidenceEntry>
export type ClaimQuota = z.infer<typeof claimQuota>
export type CollectionCreation = z.infer<typeof collectionCreation>
export type CollectionPatch = z.infer<typeof collectionPatch>
export type CollectionRecord = z.infer<typeof collectionRecord>
export type ClaimCreation = z.infer<typeof claimCreation>
export type ClaimVerdict = z.infer<typeof claimVerdict>
export type ClaimRecord = z.infer<typeof claimRecord>
export type ClaimTransition = z.infer<typeof claimTransition>
export type ClaimDetails = z.infer<typeof claimDetails>
export type ClaimConfirmation = z.infer<typeof claimConfirmation>
