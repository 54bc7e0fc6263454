import { defineErrors, defineToolFailures, type Full, type OracleError, type ToolFailure } from '@sibyl/plugin'
import type { Violation } from '@sibyl/protocol'

export const entitiesErrors = defineErrors({
  too_many_followers: {
    status: 429,
    message: 'Too many connections follow the changes. Try again later.',
    summary:
      'The caller, its address or all callers together have reached the limit of connections that follow changes.',
  },
  too_many_followers_of_holder: {
    code: 'too_many_followers',
    status: 429,
    message: 'You have too many connections that follow changes. Close one, or follow more changes in one connection.',
  },
  too_many_followers_of_origin: {
    code: 'too_many_followers',
    status: 429,
    message:
      'Your address has used its share of the connections that follow changes. Close one, or follow more changes in one connection.',
  },
  too_many_webhooks: {
    status: 409,
    message: 'This oracle has reached its limit of webhooks. Contact the operator.',
    summary: 'The caller, its address or all callers together have reached the limit of webhooks.',
  },
  too_many_webhooks_of_holder: {
    code: 'too_many_webhooks',
    status: 409,
    message: 'You have {most} webhooks already. Delete one first.',
  },
  too_many_webhooks_of_origin: {
    code: 'too_many_webhooks',
    status: 409,
    message: 'Your address has used its share of the webhooks. Delete one first.',
  },
  history_too_long: {
    status: 422,
    message: 'Too many changes lead to that state. Read the changes instead: GET /v1/entities/:did/history.',
  },
  event_id_invalid: {
    status: 400,
    message:
      'Last-Event-ID is not the id of an event of this oracle. Omit it to start with the next change, or send 0-0 to start with the first.',
  },
  webhook_not_found: {
    status: 404,
    message: 'You have no webhook with this id. GET /v1/webhooks lists your webhooks.',
  },
  if_match_missing: {
    status: 428,
    message:
      'The header If-Match is missing. Send the ETag of the state that you read, so that you do not overwrite a concurrent change.',
  },
  scope_missing: {
    status: 403,
    message: `This API key does not have the scope '{scope}'. Ask the operator to add it in ENTITIES_API_KEYS.`,
  },
  entity_contested: {
    status: 503,
    message: 'Other requests changed the same entities during each of {tries} attempts. Send the request again.',
  },
  entity_writes_busy: {
    status: 503,
    message: 'More than {limit} writes of entities are waiting. Send the request again later, at a lower rate.',
  },
  history_unfinished: {
    status: 503,
    message: 'That state takes more than one request to build. The completed part is stored: send the request again.',
  },
  did_deactivated: {
    status: 410,
    message: 'This DID is deactivated. The history of its entity has its earlier states.',
  },
})

/** Errors whose messages are for the model and the user. */
export const entitiesFailures = defineToolFailures({
  entity_space_full: {
    status: 507,
    message:
      'Nothing was stored: the space for entities of strangers is full. Ask the operator to raise ENTITIES_STRANGERS_MB.',
    summary: 'The caller, its address or all strangers together have used the space for entities.',
  },
  entity_space_full_of_holder: {
    code: 'entity_space_full',
    status: 507,
    message: 'Nothing was stored: you have used your space for entities. Ask the operator for an API key.',
  },
  entity_space_full_of_origin: {
    code: 'entity_space_full',
    status: 507,
    message:
      'Nothing was stored: your address has used its share of the space for entities. Ask the operator for an API key.',
  },
  entity_invalid: {
    status: 422,
    message: 'The entity is invalid. {problems}',
    summary: 'An entity is invalid; `issues` lists each problem with its path.',
  },
  filter_invalid: {
    status: 400,
    message: 'The filters of the list are invalid. {problems}',
    summary: 'A filter of a list is unknown, repeated or too long; `issues` lists each problem.',
  },
  protocol_unknown: {
    status: 422,
    message:
      'No active protocol with that DID and version is registered here. Register it with POST /v1/entities first.',
  },
  protocol_version_superseded: {
    status: 403,
    message:
      'Entities follow version {newest} of this protocol now; only its controller may use older versions. Omit protocolVersion, or send {newest}.',
  },
  protocol_version_retired: {
    status: 422,
    message: 'Version {version} of this protocol is retired. Omit protocolVersion to follow the newest version.',
  },
  controller_consent_missing: {
    status: 403,
    message:
      '{did} has not agreed to control this entity. Offer it by sending that DID as pendingController. The recipient accepts with a PATCH that sets itself as controller.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was sent with another body before. Send a new key for a new entity.',
  },
  entity_not_found: { status: 404, message: 'The entity is not registered here. Check its DID.' },
  not_controller: {
    status: 403,
    message: 'Only the controller of {did} may do that. Act as that controller, or request a transfer.',
  },
  entity_deactivated: { status: 409, message: '{did} is deactivated and cannot change.' },
  last_membership_group: {
    status: 409,
    message: 'This is the last active membership group of {did}, which needs at least one. Add another group first.',
  },
  etag_stale: {
    status: 412,
    message: 'The entity has changed in the meantime. Read it again, and send its ETag as If-Match.',
  },
  graph_node_not_found: { status: 404, message: 'No entity, claim or credential in the graph has that DID or URI.' },
  protocol_not_found: {
    status: 404,
    message:
      'No protocol with that DID and version is registered here. GET /v1/protocols lists the registered protocols.',
  },
})

/** Creates `entity_invalid` with every problem of an entity, each with its path. */
export const entityInvalid = (violations: readonly Violation[]): ToolFailure =>
  entitiesFailures.entity_invalid(
    { problems: firstViolations(violations, path => path || 'the entity') },
    { issues: violations, facts: {} },
  )

/** Creates `filter_invalid` with every invalid parameter of a list. */
export const filterInvalid = (violations: readonly Violation[]): ToolFailure =>
  entitiesFailures.filter_invalid(
    { problems: firstViolations(violations, path => path.slice(1)) },
    { issues: violations, facts: {} },
  )

/** Creates `protocol_unknown`. @param path path of the protocol in the body: `/protocol`, `/protocolVersion` */
export const protocolUnknown = (path: string): ToolFailure => {
  const { code, message } = entitiesFailures.protocol_unknown
  return entitiesFailures.protocol_unknown({ issues: [{ path, code, message }] })
}

/** Creates `too_many_followers` for the share of connections that is used up. */
export const tooManyFollowers = (full: Full): OracleError => {
  if (full === 'holder') return entitiesErrors.too_many_followers_of_holder()
  return full === 'origin' ? entitiesErrors.too_many_followers_of_origin() : entitiesErrors.too_many_followers()
}

/** Creates `too_many_webhooks` for the share of webhooks that is used up. @param max webhooks of one holder */
export const tooManyWebhooks = (full: Full, max: number): OracleError => {
  if (full === 'holder') return entitiesErrors.too_many_webhooks_of_holder({ most: max })
  const facts = { most: max }
  return full === 'origin'
    ? entitiesErrors.too_many_webhooks_of_origin({ facts })
    : entitiesErrors.too_many_webhooks({ facts })
}

/** Returns the first three problems as one text, and the number of further ones. */
const firstViolations = (violations: readonly Violation[], placeOf: (path: string) => string): string => {
  const shown = violations.slice(0, 3).map(({ path, message }) => `${placeOf(path)}: ${message}`)
  return `${shown.join(' ')}${violations.length > 3 ? ` And ${violations.length - 3} more.` : ''}`
}
