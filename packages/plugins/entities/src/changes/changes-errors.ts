import { type Full, OracleError } from '@sibyl/plugin'

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
