import { type Route, route } from '@sibyl/plugin'
import { entityCreation, entityRecord } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../entities-errors.ts'
import { entityPath } from '../records/entity-did.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import { etagOf } from '../records/etag.ts'
import { answers } from '../records/route-answers.ts'
import type { EntityWriter } from './entity-writer.ts'
import type { GivenCredentials } from './given-credentials.ts'

const headers = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key and body again within 24 hours give the same reply, not another entity' }),
})

/** `POST /v1/entities`. */
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
        'Under a protocol everything is checked against it, and all faults are told at once. A Protocol is posted as its own ' +
        'record: `properties` names types, `relationships` kinds. An organisation comes with its membership groups. ' +
        'An entity follows the newest version of its protocol; an older one only for the controller of the protocol. ' +
        'The caller is the controller; only an API key with the scope `write` names another one. `pendingController` ' +
        'offers the entity to another DID. `verifiableCredential` takes entries, shown as unverified, and whole ' +
        'credentials, which must verify.',
      headers,
      body: { content: { 'application/json': { schema: entityCreation } }, required: true },
      ok: {
        201: {
          ...answers.json('The entity; `Location` is where it is read, `ETag` this state of it', entityRecord),
          headers: answers.headersOfEntity,
        },
      },
      errors: [
        entitiesErrors.scope_missing,
        entitiesFailures.not_controller,
        entitiesFailures.controller_consent_missing,
        entitiesFailures.protocol_version_superseded,
        { code: 'entity_invalid', status: 422 },
        { code: 'protocol_unknown', status: 422 },
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
