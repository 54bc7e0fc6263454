import { type Full, OracleError } from '@sibyl/plugin'

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

  constructor(full: Full) {
    super(
      {
        holder: 'You follow the changes on too many connections. Close one, or follow more in one.',
        origin: 'Your address follows the changes on its share of the connections. Close one, or follow more in one.',
        all: 'Too many connections follow the changes. Try again later.',
      }[full],
    )
  }
}

/** There are as many webhooks as the caller, its address or all together may have. */
export class TooManyWebhooks extends OracleError {
  readonly code = 'too_many_webhooks'
  override readonly status = 409

  constructor(full: Full, most: number) {
    super(
      {
        holder: `You have ${most} webhooks already. Delete one first.`,
        origin: 'Your address has its share of the webhooks already. Delete one first.',
        all: 'There are as many webhooks as this oracle keeps. Ask the operator.',
      }[full],
      { most },
    )
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
