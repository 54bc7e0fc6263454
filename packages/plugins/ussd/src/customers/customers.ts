import type { WriteTransaction } from '../storage/ussd-tables.ts'
import type { PinOwner, PinViolation } from './pin-rules.ts'

export interface Customer {
  /** Digits of the sign-in, the last one a check digit. */
  readonly id: string
  readonly name: string
  readonly email: string | undefined
  /** E.164. */
  readonly phoneNumber: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A new customer. */
export type CustomerDraft = Pick<Customer, 'name' | 'phoneNumber'> & { readonly email?: string; readonly pin: string }

/** An attempt of a caller to prove who they are. */
type Attempt<Secret extends string = never> = Readonly<Record<'customerId' | 'phoneNumber' | Secret, string>>

/** Result of a sign-in. `wrong` also for an unknown customer, so that callers cannot tell the difference. */
export type PinVerdict =
  /** `pinMark` identifies the verified PIN for `changePin`. */
  | { readonly kind: 'right'; readonly customer: Customer; readonly pinMark: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly minutes: number }
  /** An operator or a one-time code reset the PIN: a new one must be chosen before anything else. */
  | { readonly kind: 'must-change'; readonly customer: Customer; readonly pinMark: string }

/** Customers with an account, and their PINs. */
export interface Customers {
  /**
   * Prepares a customer. `write` belongs to the transaction of the session's move, and throws `customer_id_taken` if
   * the ID was taken meanwhile. Throws `pin_weak`.
   */
  draft(draft: CustomerDraft): Promise<{ readonly customer: Customer; write(tx: WriteTransaction): Promise<void> }>
  /**
   * Counts the attempt durably before the comparison, so that concurrent guesses get no more attempts than sequential
   * ones. A wrong one that locks returns `locked` immediately. Throws `seal_broken` if the row was modified.
   */
  checkPin(attempt: Attempt<'pin'>): Promise<PinVerdict>
  find(customerId: string): Promise<Customer | undefined>
  /**
   * Prepares the change of a verified PIN. Throws `pin_weak`, also for the current PIN, and `customer_not_found`. It
   * and `write` throw `pin_outdated` if the PIN was changed meanwhile.
   *
   * @param pinMark From the verdict on the PIN or code.
   */
  changePin(customerId: string, pin: string, pinMark?: string): Promise<{ write(tx: WriteTransaction): Promise<void> }>
  /**
   * Sends a one-time code by SMS to the customer's own phone; false without an sms plugin. The result is the same for
   * an unknown customer.
   */
  sendResetCode(attempt: Attempt): Promise<boolean>
  /** Verifies that code, as `checkPin` verifies a PIN. */
  checkResetCode(attempt: Attempt<'code'>): Promise<PinVerdict>
  /**
   * Returns the problem of a new PIN: not 4 to 6 digits, or a sequence, a repetition, a year, a common PIN or the
   * owner's own digits.
   */
  pinViolation(pin: string, owner?: PinOwner): PinViolation | undefined
}

/** Data of phones, with or without an account. */
export interface Phones {
  language(phoneNumber: string): Promise<string | undefined>
  setLanguage(phoneNumber: string, language: string): (tx: WriteTransaction) => Promise<void>
}
