import { defineErrors, defineToolFailures, type Full, type OracleError, type ToolFailure } from '@sibyl/plugin'
import type { Fault } from '@sibyl/protocol'

export const entitiesErrors = defineErrors({
  too_many_followers: {
    status: 429,
    message: 'Too many connections follow the changes. Try again later.',
    summary: 'The caller, its address or all callers together follow the changes on as many connections as they may.',
  },
  too_many_followers_of_holder: {
    code: 'too_many_followers',
    status: 429,
    message: 'You follow the changes on too many connections. Close one, or follow more in one.',
  },
  too_many_followers_of_origin: {
    code: 'too_many_followers',
    status: 429,
    message: 'Your address follows the changes on its share of the connections. Close one, or follow more in one.',
  },
  too_many_webhooks: {
    status: 409,
    message: 'There are as many webhooks as this oracle keeps. Ask the operator.',
    summary: 'The caller, its address or all callers together have as many webhooks as they may.',
  },
  too_many_webhooks_of_holder: {
    code: 'too_many_webhooks',
    status: 409,
    message: 'You have {most} webhooks already. Delete one first.',
  },
  too_many_webhooks_of_origin: {
    code: 'too_many_webhooks',
    status: 409,
    message: 'Your address has its share of the webhooks already. Delete one first.',
  },
  history_too_long: {
    status: 422,
    message:
      'Too many bytes of changes lead to that state. Read the changes themselves: GET /v1/entities/:did/history.',
  },
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
  history_unfinished: {
    status: 503,
    message:
      'That state takes more than one request to build. The part that was built is stored: send the request again.',
  },
  did_deactivated: { status: 410, message: 'This DID is deactivated. What it was is in the history of its entity.' },
})

/** Errors whose message the model and the user read. */
export const entitiesFailures = defineToolFailures({
  entity_invalid: {
    status: 422,
    message: 'The entity is not valid. {faults}',
    summary: 'An entity is invalid; `issues` lists each problem with its path.',
  },
  filter_invalid: {
    status: 400,
    message: 'The list cannot be narrowed so. {faults}',
    summary: 'A filter of a list is unknown, repeated or too long; `issues` lists each problem.',
  },
  protocol_unknown: {
    status: 422,
    message: 'No protocol of that DID and version is in use here. Register it with POST /v1/entities first.',
  },
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

/** Creates `entity_invalid` with every fault of an entity that is to be written, each with its path. */
export const entityInvalid = (faults: readonly Fault[]): ToolFailure =>
  entitiesFailures.entity_invalid(
    { faults: firstFaults(faults, path => path || 'the entity') },
    { issues: faults, facts: {} },
  )

/** Creates `filter_invalid` with every parameter that a list cannot be narrowed by. */
export const filterInvalid = (faults: readonly Fault[]): ToolFailure =>
  entitiesFailures.filter_invalid({ faults: firstFaults(faults, path => path.slice(1)) }, { issues: faults, facts: {} })

/** Creates `protocol_unknown`. @param path where the protocol is named: `/protocol`, `/protocolVersion` */
export const protocolUnknown = (path: string): ToolFailure => {
  const { code, message } = entitiesFailures.protocol_unknown
  return entitiesFailures.protocol_unknown({ issues: [{ path, code, message }] })
}

/** Creates `too_many_followers` for the share of connections that is used up. */
export const tooManyFollowers = (full: Full): OracleError => {
  if (full === 'holder') return entitiesErrors.too_many_followers_of_holder()
  return full === 'origin' ? entitiesErrors.too_many_followers_of_origin() : entitiesErrors.too_many_followers()
}

/** Creates `too_many_webhooks` for the share of webhooks that is used up. @param most webhooks of one holder */
export const tooManyWebhooks = (full: Full, most: number): OracleError => {
  if (full === 'holder') return entitiesErrors.too_many_webhooks_of_holder({ most })
  const facts = { most }
  return full === 'origin'
    ? entitiesErrors.too_many_webhooks_of_origin({ facts })
    : entitiesErrors.too_many_webhooks({ facts })
}

/** Returns the first three faults as one text, and how many more there are. */
const firstFaults = (faults: readonly Fault[], placeOf: (path: string) => string): string => {
  const shown = faults.slice(0, 3).map(({ path, message }) => `${placeOf(path)}: ${message}`)
  return `${shown.join(' ')}${faults.length > 3 ? ` And ${faults.length - 3} more.` : ''}`
}
