import { defineErrors, defineToolFailures, ToolFailure } from '@sibyl/plugin'
import type { Fault } from '@sibyl/protocol'

/** What is to be written of an entity does not fit; `issues` has every fault with its path. */
export class EntityInvalid extends ToolFailure {
  override readonly code: string = 'entity_invalid'
  override readonly status = 422
  override readonly issues: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    const shown = faults.slice(0, 3).map(({ path, message }) => `${path || 'the entity'}: ${message}`)
    super(`The entity is not valid. ${shown.join(' ')}${faults.length > 3 ? ` And ${faults.length - 3} more.` : ''}`)
    this.issues = faults
  }
}

/** The protocol that an entity is to follow is not one of this oracle, or has no such version. */
export class ProtocolUnknown extends ToolFailure {
  override readonly code = 'protocol_unknown'
  override readonly status = 422
  override readonly issues: readonly Fault[]

  /** @param path where it is named: `/protocol`, `/protocolVersion` */
  constructor(path: string) {
    const message = 'No protocol of that DID and version is in use here. Register it with POST /v1/entities first.'
    super(message)
    this.issues = [{ path, code: 'protocol_unknown', message }]
  }
}

/** Errors of the package. */
export const entitiesErrors = defineErrors({
  event_id_invalid: {
    status: 400,
    message:
      'Last-Event-ID is not the id of an event of this oracle. Leave it out to follow from now on; 0-0 begins at the first change.',
  },
  webhook_not_found: { status: 404, message: 'You have no webhook of this id.' },
  if_match_missing: {
    status: 428,
    message: 'Send the ETag of the state that you have read as If-Match, so that no change of others is lost.',
  },
  scope_missing: {
    status: 403,
    message: `This API key does not have the scope '{scope}'. The operator adds it in ENTITIES_API_KEYS.`,
  },
  entity_contested: {
    status: 503,
    message: 'Others changed the same entities at each of {tries} tries. The request may be sent again.',
  },
  entity_writes_busy: {
    status: 503,
    message: 'More than {limit} writes of entities are waiting. Slow down, then send the request again.',
  },
  route_not_found: { status: 404, message: 'The explorer has no such file.' },
  history_unfinished: {
    status: 503,
    message:
      'That state takes more than one request to build. The part that was built is stored: send the request again.',
  },
  did_deactivated: { status: 410, message: 'This DID is deactivated. What it was is in the history of its entity.' },
})

/** Errors whose message the model and the user read. */
export const entitiesFailures = defineToolFailures({
  protocol_version_superseded: {
    status: 403,
    message:
      'Entities follow version {newest} of this protocol now; only its controller uses older versions. Leave protocolVersion out, or send {newest}.',
  },
  protocol_version_retired: {
    status: 422,
    message: 'Version {version} of this protocol is retired. Leave protocolVersion out to follow the newest version.',
  },
  controller_consent_missing: {
    status: 403,
    message:
      '{did} has not agreed to control this entity. Offer it: send that DID as pendingController. It accepts by a PATCH with itself as controller.',
  },
  idempotency_key_reused: {
    status: 422,
    message:
      'This Idempotency-Key was sent with another body within the last 24 hours. Send a new key for a new entity.',
  },
  entity_not_found: { status: 404, message: 'No entity of that DID is registered here.' },
  not_controller: {
    status: 403,
    message: 'Only the controller of {did} may do that. Act as that controller, or ask for a transfer.',
  },
  entity_deactivated: { status: 409, message: '{did} is deactivated and does not change any more.' },
  last_membership_group: {
    status: 409,
    message: 'This is the last active membership group of {did}, which always has one. Add another group first.',
  },
  etag_stale: {
    status: 412,
    message: 'The entity has changed since. Read it again, and send the ETag that comes with it as If-Match.',
  },
  graph_node_not_found: { status: 404, message: 'No entity, claim or credential in the graph has that DID or URI.' },
  protocol_not_found: {
    status: 404,
    message: 'No protocol of that DID and version is registered here. GET /v1/protocols lists those that are.',
  },
})
