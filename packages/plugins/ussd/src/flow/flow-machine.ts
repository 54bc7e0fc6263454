import type { JsonValue } from '@sibyl/protocol'
import type { UssdReply } from '../requests/ussd-request.ts'
import type { TextLimits } from '../text/measure.ts'
import type { ActionResult, ActionScreen } from './flow.ts'

/** Position of a session in its flow. JSON; stored sealed. */
export interface FlowState {
  /** The current screen, or the running action. */
  readonly screen: string
  readonly page: number
  /** The screens that `0` leads back through, the most recent last; bounded. */
  readonly trail: readonly string[]
  readonly values: Readonly<Record<string, JsonValue>>
  readonly secrets: Readonly<Record<string, string>>
  readonly language: string
  readonly customerId?: string | undefined
  /** Outcome of the action, if the screen shows it. */
  readonly outcome?: 'failed' | 'unknown'
  /** Input typed ahead of an action of effect `read`, for the screens after it. */
  readonly ahead?: string
  /** Actions since the last screen. */
  readonly chain?: number
}

/** Facts of a session that the machine needs. */
export interface FlowFacts {
  readonly phoneNumber: string
  readonly serviceCode: string
  readonly limits: TextLimits
}

/** Result of a move: a screen to show, or an action to run, whose outcome goes to `afterAction`. */
export type FlowStep =
  | {
      readonly kind: 'show'
      readonly state: FlowState
      readonly reply: UssdReply
      /** The party that ended the session, if it ends: the flow, or the user with `*`. */
      readonly endedBy?: 'flow' | 'user'
    }
  | { readonly kind: 'run'; readonly state: FlowState; readonly action: ActionScreen }

export type ActionOutcome =
  | { readonly kind: 'done'; readonly result: ActionResult }
  | { readonly kind: 'failed' }
  /** The process ended while an action of effect `write` ran. */
  | { readonly kind: 'unknown' }

/** Moves sessions through one flow. Pure: it keeps nothing, and the same state and input give the same step. */
export interface FlowMachine {
  /** Name of the first screen. */
  readonly start: string
  /** The codes of its languages, the default first. */
  readonly languages: readonly string[]
  /** Returns the start screen of a fresh session. @param language Language that the phone's owner chose before. */
  begin(facts: FlowFacts, known: { readonly language?: string | undefined }): FlowStep
  /**
   * Applies the input since the last reply. It may contain several answers joined by `*`, if requests were lost or the
   * user typed several answers at once. A screen with numbered answers takes one answer and passes the others on. A
   * question with a free answer takes everything that is left. Nothing is passed on into a secret, a confirmation or an action with an effect: the
   * screen of the secret or confirmation is shown, or the one that would have led to the action. `*` is the exit at the
   * start of an answer. `1` at a late action runs it again, which returns its outcome.
   *
   * @param seen Whether the user has seen the screen of `state`. Without it (a dialed shortcut, a lost session) the
   * first answer counts as passed on, too. @default true
   * @throws `flow_invalid` if a computed target does not exist
   */
  input(state: FlowState, typed: string, facts: FlowFacts, seen?: boolean): FlowStep
  /** Returns the screen as it was last shown, for a caller who returns to it. */
  show(state: FlowState, facts: FlowFacts): UssdReply
  /**
   * Continues after the action of `state` has ended; secrets are deleted.
   *
   * @throws `flow_invalid` if the action leads to an unknown screen: an error of the flow, to be treated as `failed`,
   *   without its `write`
   */
  afterAction(state: FlowState, outcome: ActionOutcome, facts: FlowFacts): FlowStep
  /** Returns the reply while an action is late: its text, and `1` to check again. */
  late(state: FlowState, facts: FlowFacts): UssdReply
  /** Returns the offer of a redial: 1 resumes `state`, 2 begins again. */
  offerResume(state: FlowState, facts: FlowFacts): UssdReply
}
