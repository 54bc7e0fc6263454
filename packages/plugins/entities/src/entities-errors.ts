import { OracleError, ToolFailure } from '@sibyl/plugin'
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

/** An entity is to follow an older version of a protocol, by somebody who does not control that protocol. */
export class ProtocolVersionSuperseded extends ToolFailure {
  override readonly code = 'protocol_version_superseded'
  override readonly status = 403

  /** @param newest The version that entities follow now. */
  constructor(newest: number) {
    super(
      `Entities follow version ${newest} of this protocol now; only its controller uses older versions. Leave protocolVersion out, or send ${newest}.`,
    )
  }
}

/** An entity is to follow a version of a protocol that was retired. */
export class ProtocolVersionRetired extends ToolFailure {
  override readonly code = 'protocol_version_retired'
  override readonly status = 422

  /** @param version The retired one. */
  constructor(version: number) {
    super(`Version ${version} of this protocol is retired. Leave protocolVersion out to follow the newest version.`)
  }
}

/** Another DID is to control an entity without having agreed. */
export class ControllerConsentMissing extends ToolFailure {
  override readonly code = 'controller_consent_missing'
  override readonly status = 403

  /** @param did The DID that has not agreed. */
  constructor(did: string) {
    super(
      `${did} has not agreed to control this entity. Offer it: send that DID as pendingController. It accepts by a PATCH with itself as controller.`,
    )
  }
}

/** The key stands for another body already. */
export class IdempotencyKeyReused extends ToolFailure {
  override readonly code = 'idempotency_key_reused'
  override readonly status = 422

  constructor() {
    super('This Idempotency-Key was sent with another body within the last 24 hours. Send a new key for a new entity.')
  }
}

/** No entity of that DID is registered here. */
export class EntityNotFound extends ToolFailure {
  override readonly code = 'entity_not_found'
  override readonly status = 404

  constructor() {
    super('No entity of that DID is registered here.')
  }
}

/** Somebody other than its controller wants to change an entity. */
export class NotController extends ToolFailure {
  override readonly code = 'not_controller'
  override readonly status = 403

  /** @param did Of the entity. */
  constructor(did: string) {
    super(`Only the controller of ${did} may do that. Act as that controller, or ask for a transfer.`)
  }
}

/** An entity that is out of use cannot be changed any more. */
export class EntityDeactivated extends ToolFailure {
  override readonly code = 'entity_deactivated'
  override readonly status = 409

  /** @param did Of the entity. */
  constructor(did: string) {
    super(`${did} is deactivated and does not change any more.`)
  }
}

/** An organisation would lose its last active membership group. */
export class LastMembershipGroup extends ToolFailure {
  override readonly code = 'last_membership_group'
  override readonly status = 409

  /** @param did Of the organisation. */
  constructor(did: string) {
    super(`This is the last active membership group of ${did}, which always has one. Add another group first.`)
  }
}

/** The entity was changed since the state that `If-Match` names. */
export class EtagStale extends ToolFailure {
  override readonly code = 'etag_stale'
  override readonly status = 412

  constructor() {
    super('The entity has changed since. Read it again, and send the ETag that comes with it as If-Match.')
  }
}

/** A change does not say from which state it is made. */
export class IfMatchMissing extends OracleError {
  readonly code = 'if_match_missing'
  override readonly status = 428

  constructor() {
    super('Send the ETag of the state that you have read as If-Match, so that no change of others is lost.')
  }
}

/** The key may not do that. */
export class EntityScopeMissing extends OracleError {
  readonly code = 'scope_missing'
  override readonly status = 403

  /** @param scope The one that it lacks. */
  constructor(scope: 'read' | 'write') {
    super(`This API key does not have the scope '${scope}'. The operator adds it in ENTITIES_API_KEYS.`)
  }
}

/** Writers met each other at every try. */
export class EntityContested extends OracleError {
  readonly code = 'entity_contested'
  override readonly status = 503

  constructor(tries: number) {
    super(`Others changed the same entities at each of ${tries} tries. The request may be sent again.`, { tries })
  }
}

/** More writes of entities wait than are kept. */
export class EntityWritesBusy extends OracleError {
  readonly code = 'entity_writes_busy'
  override readonly status = 503

  constructor(limit: number) {
    super(`More than ${limit} writes of entities are waiting. Slow down, then send the request again.`, { limit })
  }
}
