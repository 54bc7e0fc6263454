import { OracleError } from '@sibyl/plugin'

/** Thrown at a PIN that nobody should have. */
export class PinWeakError extends OracleError {
  readonly code = 'pin_weak'
  override readonly status = 400

  /** @param fault `form`: not 4 to 6 digits; `weak`: others would guess it; `same`: the PIN there is */
  constructor(fault: 'form' | 'weak' | 'same') {
    super(
      fault === 'form'
        ? 'A PIN has 4 to 6 digits.'
        : fault === 'same'
          ? 'The new PIN is the old one. Choose another one.'
          : 'That PIN is easy to guess: it is a run, a repetition, a year, part of the phone number or often chosen.',
      { fault },
    )
  }
}

/** A PIN was changed after it was checked: who knew the one before has no right to change it once more. */
export class PinOutdatedError extends OracleError {
  readonly code = 'pin_outdated'
  override readonly status = 409

  constructor() {
    super('The PIN was changed after it was checked. Sign in again.')
  }
}

/** Thrown where a customer must be there, and is not. */
export class CustomerNotFoundError extends OracleError {
  readonly code = 'customer_not_found'
  override readonly status = 404

  constructor() {
    super('There is no such customer.')
  }
}

/** Thrown where a phone number stands for several customers, and one is meant. */
export class CustomerAmbiguousError extends OracleError {
  readonly code = 'customer_ambiguous'
  override readonly status = 409

  /** @param count how many customers have that phone number */
  constructor(count: number) {
    super(`${count} customers have that phone number. Name one by its customerId; an export lists them.`, { count })
  }
}

/** Thrown when two new customers drew the same id at the same moment: the later one was not kept. */
export class CustomerIdTakenError extends OracleError {
  readonly code = 'customer_id_taken'
  override readonly status = 503

  constructor() {
    super('Another customer was given the same id a moment before. Nothing was kept; try again.')
  }
}

/** Thrown where nobody asked for what is to be confirmed. */
export class OperatorActionNotFoundError extends OracleError {
  readonly code = 'operator_action_not_found'
  override readonly status = 404

  constructor() {
    super('There is no such request of an operator.')
  }
}

/** Thrown where a request was confirmed before, was not confirmed in time, or too often with a wrong word. */
export class OperatorActionOverError extends OracleError {
  readonly code = 'operator_action_over'
  override readonly status = 409

  constructor() {
    super(
      'The request is over: confirmed before, not confirmed in time, or too often with a wrong word. Make a new one.',
    )
  }
}

/** Thrown where the confirmation is not the word that the request was answered with. */
export class ConfirmationWrongError extends OracleError {
  readonly code = 'confirmation_wrong'
  override readonly status = 403

  constructor() {
    super('That is not the confirmation that the request was answered with.')
  }
}
