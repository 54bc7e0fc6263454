import { didText } from '@sibyl/protocol'
import * as z from 'zod'
import { rubricCondition } from './rubric-condition.ts'
import { words } from './words.ts'

/** The maximum number of claims of a collection. */
export const claimQuota = z.strictObject({
  /** @default without a limit */
  all: z.int().min(0).max(1_000_000_000).optional(),
  /** @default without a limit */
  perAsset: z.int().min(1).max(1_000_000_000).optional(),
})

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

const version = z.int().min(1)

/** The body of `POST /v1/collections`. */
export const collectionCreation = z.strictObject({
  title: words(1, 100),
  /** DID of the protocol that its assets follow. @default claims about any entity, or about none */
  protocol: didText.optional(),
  /** The least version of the protocol that its assets follow. @default the newest one now */
  leastProtocolVersion: version.optional(),
  quota: claimQuota.optional(),
  opensAt: time.optional(),
  closesAt: time.optional(),
  /** `controllers`: of the assets. @default 'controllers' */
  submitters: z.union([z.enum(['controllers', 'anyone']), z.array(didText).min(1).max(100)]).optional(),
  /** @default 'oracle' */
  evaluators: z.union([z.literal('oracle'), z.array(didText).min(1).max(100)]).optional(),
  /** @default 'rules' */
  evaluation: z.enum(['rules', 'agent', 'person']).optional(),
  /** Whether a verdict waits until a person confirms or overrules it. @default true where the agent judges, else false */
  confirm: z.boolean().optional(),
  /** Conditions besides those of the protocol; all must hold. */
  conditions: z.array(rubricCondition).max(50).optional(),
  /** Guidance for the agent. */
  guidance: words(1, 2000).optional(),
  /** The DID of the Oracle Twin that verifies its claims, for the graph. */
  verifier: didText.optional(),
  /** The type of the credentials that follow. @default 'ClaimCredential' */
  credentialType: credentialTypeName.optional(),
})

/** The body of `PATCH /v1/collections/:id`; null removes, and what is not said stays, also in the quota. */
export const collectionPatch = z.strictObject({
  closed: z.boolean().optional(),
  confirm: z.boolean().optional(),
  leastProtocolVersion: version.optional(),
  /** The latest version of a protocol of another controller for which verdicts need no person. */
  acceptedProtocolVersion: version.optional(),
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
  /** The least version of the protocol that its assets follow; any where it is missing. */
  leastProtocolVersion: z.int().optional(),
  /** The newest version of the protocol that its controller has accepted: that of when it was made, until changed. */
  acceptedProtocolVersion: z.int().optional(),
  quota: claimQuota,
  /** The number of accepted claims. */
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

export type ClaimQuota = z.infer<typeof claimQuota>
export type CollectionCreation = z.infer<typeof collectionCreation>
export type CollectionPatch = z.infer<typeof collectionPatch>
export type CollectionRecord = z.infer<typeof collectionRecord>
