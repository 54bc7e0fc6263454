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
