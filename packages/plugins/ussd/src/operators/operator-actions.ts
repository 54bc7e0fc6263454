import type { JsonValue } from '@sibyl/protocol'
import type { ActionDetails, ActionKind } from './action-row.ts'

/** Operator and reason of a request; both are recorded. */
export interface OperatorNote {
  readonly operator: string
  readonly reason: string
}

/** Whom it is about. */
export type ActionTarget = { readonly customerId: string } | { readonly phoneNumber: string }

/** A request that waits for its confirmation. */
export interface WaitingAction {
  readonly id: string
  readonly confirmation: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Number of customers concerned. */
  readonly customers: number
}

/** A request as the records have it; whom it was about is missing once that phone's records are erased. */
export interface ActionRecord extends ActionDetails {
  readonly id: string
  readonly kind: ActionKind
  readonly state: 'waiting' | 'done' | 'expired'
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  readonly doneAt: number | undefined
}

/** Actions of operators for customers. Each is recorded; a change takes a request and its confirmation. */
export interface OperatorActions {
  /** Throws `customer_not_found` and `customer_ambiguous`, except where a phone without customers may be meant. */
  request(kind: Exclude<ActionKind, 'export'>, target: ActionTarget, note: OperatorNote): Promise<WaitingAction>
  /**
   * Does what was asked for. The same confirmation again does nothing more; of a reset it is refused, since its PIN is shown
   * once. Throws `operator_action_not_found`, `operator_action_over`, `confirmation_wrong`, `customer_not_found`.
   *
   * @returns the one-time PIN of a reset, with its end in milliseconds since 1970
   */
  confirm(
    kind: Exclude<ActionKind, 'export'>,
    id: string,
    by: { readonly confirmation: string; readonly operator: string },
  ): Promise<{ readonly pin: string; readonly validUntil: number } | undefined>
  /** Returns everything that is stored of a phone, by kind of record. */
  export(phoneNumber: string, note: OperatorNote): Promise<Readonly<Record<string, JsonValue>>>
  /** Returns the records, the latest first, starting after `before`. */
  list(page: { readonly limit: number; readonly before?: string | undefined }): Promise<readonly ActionRecord[]>
}
