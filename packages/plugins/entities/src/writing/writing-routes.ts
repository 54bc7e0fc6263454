import { type Route, route } from '@sibyl/plugin'
import { memberName } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers, entityParams } from '../access/route-answers.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { type EntityRecord, entityCreation, entityPatch, entityRecord } from '../records/entity-contract.ts'
import { entityPath } from '../records/entity-did.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import { type ExpectedVersions, etagOf, expectedVersions } from '../records/etag.ts'
import type { EntityWriter, Written } from './entity-writer.ts'
import type { GivenCredentials } from './given-credentials.ts'

const creationHeaders = z.object({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'The same key and body return the same reply for `RETENTION_ENTITY_REPLIES_DAYS`, and create no other entity',
  }),
})

export const creationRoute = (
  writer: Pick<EntityWriter, 'create'>,
  credentials: Pick<GivenCredentials, 'read'>,
): Route =>
  route.post(
    '/v1/entities',
    {
      auth: entitiesAccess('write'),
      summary: 'Register an entity',
      description:
        'Everything is checked against the protocol, and all problems are reported at once. A Protocol is posted as its own ' +
        'record: `properties` names types, `relationships` kinds. An organization comes with its membership groups. ' +
        'An entity follows the newest version of its protocol; only the controller of the protocol may use an older one. ' +
        'The caller becomes the controller; only an API key with the scope `write` may name another one. `pendingController` ' +
        'offers the entity to another DID. `verifiableCredential` takes entries, shown as unverified, and whole ' +
        'credentials, which must verify.',
      headers: creationHeaders,
      body: entityCreation,
      ok: {
        201: {
          ...answers.json('The entity; `Location` is its URL, `ETag` its version', entityRecord),
          headers: answers.headersOfEntity,
        },
      },
      errors: [
        entitiesErrors.scope_missing,
        entitiesFailures.entity_space_full,
        entitiesFailures.not_controller,
        entitiesFailures.controller_consent_missing,
        entitiesFailures.protocol_version_superseded,
        entitiesFailures.entity_invalid,
        entitiesFailures.protocol_unknown,
        entitiesFailures.protocol_version_retired,
        entitiesFailures.idempotency_key_reused,
        { code: 'signing_key_missing', status: 503 },
      ],
    },
    async c => {
      const by = actingAs(c.get('actor'), 'write')
      const key = c.req.valid('header')['idempotency-key']
      const creation = await credentials.read(c.req.valid('json'))
      const { entity, relationships } = await writer.create(creation, by, key)
      return c.json(entityRecordOf(entity, relationships), 201, {
        location: entityPath(entity.did),
        etag: etagOf(entity.version),
      })
    },
  )

const ifMatch = z.string().max(1_000).optional()

const headers = z.object({
  'if-match': ifMatch.meta({ description: 'The `ETag` of the state that the change is based on; required' }),
})

const optionalHeaders = z.object({
  'if-match': ifMatch.meta({ description: 'The `ETag` of the state that the change is based on; optional' }),
})

const target = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')

const changed = {
  200: { ...answers.json('The entity after the change', entityRecord), headers: answers.headersOfChange },
}

const changeErrors = [
  entitiesErrors.scope_missing,
  entitiesFailures.entity_space_full,
  entitiesFailures.not_controller,
  entitiesFailures.entity_not_found,
  entitiesFailures.entity_deactivated,
  entitiesFailures.last_membership_group,
  entitiesFailures.etag_stale,
  entitiesFailures.entity_invalid,
  { code: 'signing_key_missing', status: 503 },
  entitiesErrors.entity_contested,
]

/** Creates `PATCH` and `DELETE /v1/entities/{did}`, and the routes of its relationships, for its controller only. */
export const changeRoutes = (
  writer: Pick<EntityWriter, 'update' | 'deactivate' | 'relate' | 'unrelate'>,
): readonly Route[] => [
  route.patch(
    '/v1/entities/{did}',
    {
      auth: entitiesAccess('write'),
      summary: 'Change an entity',
      description:
        'A JSON Merge Patch (RFC 7396), as `application/merge-patch+json` or `application/json`: null removes a member; each given relationship name is replaced. The entity ' +
        'keeps its protocol version; `protocolVersion` moves it to the newest, or to another one if the caller is the ' +
        'controller of the protocol. `pendingController` offers the entity to a DID, which accepts with a PATCH that sets ' +
        '`controller` to itself and nothing else. `retiredVersions` retires versions of a Protocol permanently.',
      params: entityParams,
      headers,
      body: entityPatch,
      ok: changed,
      errors: [
        ...changeErrors,
        entitiesErrors.if_match_missing,
        entitiesFailures.controller_consent_missing,
        entitiesFailures.protocol_version_superseded,
        entitiesFailures.protocol_unknown,
        entitiesFailures.protocol_version_retired,
      ],
    },
    async c => {
      const by = actingAs(c.get('actor'), 'write')
      const expected = neededVersions(c.req.valid('header')['if-match'])
      return c.json(...reply(await writer.update(c.req.valid('param').did, c.req.valid('json'), by, expected)))
    },
  ),
  route.delete(
    '/v1/entities/{did}',
    {
      auth: entitiesAccess('write'),
      summary: 'Deactivate an entity',
      description:
        'It stays readable with its history, and cannot change: its `status` is `deactivated`, and its DID ' +
        'resolves as deactivated. The membership groups of an Organisation are deactivated with it.',
      params: entityParams,
      headers,
      ok: changed,
      errors: [...changeErrors, entitiesErrors.if_match_missing],
    },
    async c => {
      const by = actingAs(c.get('actor'), 'write')
      const expected = neededVersions(c.req.valid('header')['if-match'])
      return c.json(...reply(await writer.deactivate(c.req.valid('param').did, by, expected)))
    },
  ),
  route.post(
    '/v1/entities/{did}/relationships',
    {
      auth: entitiesAccess('write'),
      summary: 'Add relationships of an entity',
      description: 'Existing relationships do not change, so the request can be repeated safely.',
      params: entityParams,
      headers: optionalHeaders,
      body: z.strictObject({
        relationship: memberName.meta({ example: 'implements' }),
        targets: z.array(target).min(1).max(1_000).meta({ description: 'DIDs of entities of this oracle' }),
      }),
      ok: changed,
      errors: changeErrors,
    },
    async c => {
      const by = actingAs(c.get('actor'), 'write')
      const expected = expectedVersions(c.req.valid('header')['if-match'])
      const { relationship, targets } = c.req.valid('json')
      return c.json(...reply(await writer.relate(c.req.valid('param').did, relationship, targets, by, expected)))
    },
  ),
  route.delete(
    '/v1/entities/{did}/relationships',
    {
      auth: entitiesAccess('write'),
      summary: 'Remove a relationship',
      description: 'A missing relationship is ignored, so the request can be repeated safely.',
      params: entityParams,
      headers: optionalHeaders,
      query: z.object({ relationship: memberName, target }),
      ok: changed,
      errors: changeErrors,
    },
    async c => {
      const by = actingAs(c.get('actor'), 'write')
      const expected = expectedVersions(c.req.valid('header')['if-match'])
      const { relationship, target } = c.req.valid('query')
      return c.json(...reply(await writer.unrelate(c.req.valid('param').did, relationship, [target], by, expected)))
    },
  ),
]

const neededVersions = (ifMatch: string | undefined): ExpectedVersions => {
  const expected = expectedVersions(ifMatch)
  if (expected === undefined) throw entitiesErrors.if_match_missing()
  return expected
}

/** Returns the arguments of `c.json`. */
const reply = ({ entity, relationships }: Written): [EntityRecord, 200, { etag: string }] => [
  entityRecordOf(entity, relationships),
  200,
  { etag: etagOf(entity.version) },
]
