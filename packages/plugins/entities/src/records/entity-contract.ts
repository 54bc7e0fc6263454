import { didText, jsonValue, memberName } from '@sibyl/protocol'
import * as z from 'zod'

/** The four classes that each entity is one of. */
const domainClass = z.enum(['Physical Twins', 'Cognitive Twins', 'Twin Systems', 'Oracle Twins'])

/** A service of an entity: `{ id: '#readings', type: 'Telemetry', endpoint: 'https://…' }`. */
const serviceEntry = z.strictObject({
  id: z
    .string()
    .max(100)
    .regex(/^#[\w.-]+$/, 'must be a fragment such as #readings'),
  type: z.string().min(1).max(100),
  endpoint: z.url({ protocol: /^(?:https?|wss?|mqtts?|mailto|tel|did)$/ }).max(2000),
})

/** A credential issued to an entity. */
const credentialEntry = z.object({
  /** The credential's own id: `urn:uuid:…`. */
  id: z.string().optional(),
  type: z.string(),
  issuer: z.string(),
  /** `false` for an entry that the creator stated: no proof of it was seen. Every other entry was issued or verified here. */
  verified: z.literal(false).optional(),
})

/** The most credentials that an entity is registered with. */
const maxGivenCredentials = 10

/** A credential as it is given: an entry without proof, shown as unverified, or a whole credential that must verify. */
const givenCredential = z.union([
  z.strictObject({
    id: z
      .string()
      .max(500)
      .regex(/^[a-z][a-z0-9+.-]*:\S+$/i, 'is not a URL')
      .optional(),
    type: z
      .string()
      .max(100)
      .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter, and have letters, digits, _ and - alone'),
    issuer: z
      .string()
      .max(500)
      .regex(/^[a-z][a-z0-9+.-]*:\S+$/i, 'is not a DID or URL'),
  }),
  z.object({ '@context': jsonValue, proof: jsonValue }).catchall(jsonValue),
])

/** Whether an entity is in use. */
const entityStatus = z.enum(['active', 'deactivated'])

/** The type of an entity: `Device`, `CookStove`. */
const entityType = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter, and have letters, digits, _ and - alone')

/** Relationships as they are given: name to one DID or several. */
const relationshipsInput = z.record(memberName, z.union([z.string().max(500), z.array(z.string().max(500)).max(1000)]))

/** The body of `POST /v1/entities`. A Protocol is posted as its own record: its `properties` are the definition. */
export const entityCreation = z.strictObject({
  type: entityType,
  /** DID of the protocol. */
  protocol: didText.optional(),
  /** Which version of it. @default the newest */
  protocolVersion: z.int().min(1).optional(),
  properties: z.record(z.string().max(64), jsonValue).optional(),
  /** Another DID than one's own for an operator's API key alone. @default the key's DID, the UCAN's signer, or the oracle */
  controller: didText.optional(),
  /** The DID that is offered control: the controller once it accepts. */
  pendingController: didText.optional(),
  services: z.array(serviceEntry).max(50).optional(),
  /** Of a Protocol: name to the kind of entity; of every other entity: name to DIDs. */
  relationships: relationshipsInput.optional(),
  alsoKnownAs: z.array(z.string().min(1).max(500)).max(20).optional(),
  verifiableCredential: z.array(givenCredential).max(maxGivenCredentials).optional(),
  /** Of an organisation of any type: the names of its groups. @default one group, `Members` */
  membershipGroups: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
  /** Of a Protocol: what claims about its entities look like, and the rubric that decides them. */
  claim: jsonValue.optional(),
  /** Of a Protocol: the class of its entities, where their type does not say. */
  domainClass: domainClass.optional(),
})

/** The body of `PATCH /v1/entities/:did`, a JSON Merge Patch (RFC 7396): null removes. */
export const entityPatch = z.strictObject({
  properties: z.record(z.string().max(64), jsonValue).nullable().optional(),
  /** Of whom the entity is offered to, it accepts; another DID than that for an operator's API key alone. */
  controller: didText.optional(),
  /** Offers the entity to a DID; null withdraws or declines the offer. */
  pendingController: didText.nullable().optional(),
  services: z.array(serviceEntry).max(50).nullable().optional(),
  /** Replaces the relationships of each name that is given. */
  relationships: z
    .record(memberName, z.union([z.string().max(500), z.array(z.string().max(500)).max(1000)]).nullable())
    .optional(),
  alsoKnownAs: z.array(z.string().min(1).max(500)).max(20).nullable().optional(),
  /** Moves to another version of its protocol; everything is validated again. */
  protocolVersion: z.int().min(1).optional(),
  /** Of a Protocol: versions that take no entities and no claims any more. None of them comes back. */
  retiredVersions: z.array(z.int().min(1)).max(1000).optional(),
  claim: jsonValue.optional(),
  domainClass: domainClass.optional(),
})

/** An entity as routes answer it. */
export const entityRecord = z.object({
  did: z.string(),
  type: z.string(),
  controller: z.string(),
  /** The DID that is offered control, without any right until it accepts. */
  pendingController: z.string().optional(),
  domainClass,
  status: entityStatus,
  /** DID of the protocol that it was validated against. */
  protocol: z.string().optional(),
  protocolVersion: z.int().optional(),
  properties: z.record(z.string(), jsonValue),
  services: z.array(serviceEntry),
  /** Name to DIDs, at most 100 of a name; the rest is in the graph. Of a Protocol, as posted: name to the kind of entity. */
  relationships: z.record(z.string(), z.union([z.array(z.string()), z.string()])),
  verifiableCredential: z.array(credentialEntry),
  alsoKnownAs: z.array(z.string()),
  /** Of a Protocol. */
  claim: jsonValue.optional(),
  /** Of a Protocol: its versions that take no entities and no claims any more. */
  retiredVersions: z.array(z.int()).optional(),
  /** Counts the changes, from 1; the ETag is made of it. */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

export type EntityCreation = z.infer<typeof entityCreation>
export type EntityPatch = z.infer<typeof entityPatch>
export type EntityRecord = z.infer<typeof entityRecord>
