import { OracleError } from '@sibyl/core'

/** `Last-Event-ID` is none that this oracle has given. */
export class EventIdInvalid extends OracleError {
  readonly code = 'event_id_invalid'
  override readonly status = 400

  constructor() {
    super(
      'Last-Event-ID is not the id of an event of this oracle. Leave it out to follow from now on; 0-0 begins at the first change.',
    )
  }
}

/** More connections follow changes than the oracle keeps open. */
export class TooManyFollowers extends OracleError {
  readonly code = 'too_many_followers'
  override readonly status = 429

  constructor() {
    super('Too many connections follow the changes already. Close one of yours, or follow more in one.')
  }
}

/** Somebody has as many webhooks as they may. */
export class TooManyWebhooks extends OracleError {
  readonly code = 'too_many_webhooks'
  override readonly status = 409

  constructor(most: number) {
    super(`There are ${most} webhooks already. Delete one first.`, { most })
  }
}

/** No webhook of the caller has that id. */
export class WebhookNotFound extends OracleError {
  readonly code = 'webhook_not_found'
  override readonly status = 404

  constructor() {
    super('You have no webhook of this id.')
  }
}
