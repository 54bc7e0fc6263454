import type { JsonValue } from '@sibyl/protocol'
import type { TextLimits, UssdReply } from '../requests/ussd-request.ts'
import type { ActionResult, ActionScreen } from './flow.ts'

/** Where a session stands in its flow: what a store keeps of it, sealed. JSON. */
export interface FlowState {
  /** The screen shown, or the action under way. */
  readonly screen: string
  /** From 0. */
  readonly page: number
  /** The screens that `0` leads back through, the last one first to go; bounded. */
  readonly trail: readonly string[]
  readonly values: Readonly<Record<string, JsonValue>>
  readonly secrets: Readonly<Record<string, string>>
  readonly language: string
  readonly customerId?: string
}

/** What the machine is told of the session it moves. */
export interface FlowFacts {
  readonly phoneNumber: string
  readonly serviceCode: string
  readonly limits: TextLimits
}

/** What came of a move: a screen to show, or an action to run, whose end goes to `afterAction`. */
export type FlowStep =
  | { readonly kind: 'show'; readonly state: FlowState; readonly reply: UssdReply }
  | { readonly kind: 'run'; readonly state: FlowState; readonly action: ActionScreen }

/** How a run of an action ended. */
export type ActionOutcome =
  | { readonly kind: 'done'; readonly result: ActionResult }
  | { readonly kind: 'failed' }
  /** Nobody knows: the process ended while an action of effect `write` ran. */
  | { readonly kind: 'unknown' }

/** Moves sessions through one flow. Pure: it keeps nothing, and the same state and input give the same step. */
export interface FlowMachine {
  /** The codes of the languages it speaks, the first one for those who chose none. */
  readonly languages: readonly string[]
  /** The start screen of a fresh session. @param language What the phone's owner chose before. */
  begin(facts: FlowFacts, known: { readonly language?: string }): FlowStep
  /**
   * Takes what was typed since the last reply. It may hold several answers joined by `*` where requests were lost or dialled
   * ahead: screens with numbered answers take one each and pass the rest on; a question with a free answer takes all that is
   * left; nothing is passed on into a secret, a confirmation or an action with an effect, whose screens are shown instead.
   */
  take(state: FlowState, typed: string, facts: FlowFacts): FlowStep
  /** The screen as it was last shown, for somebody who comes back to it. */
  show(state: FlowState, facts: FlowFacts): UssdReply
  afterAction(state: FlowState, outcome: ActionOutcome, facts: FlowFacts): FlowStep
  /** What is shown while an action is late: its words, and `1` to look again. */
  late(state: FlowState, facts: FlowFacts): UssdReply
  /** What a redial is offered: 1 goes on with `state`, 2 begins anew. */
  offerResume(state: FlowState, facts: FlowFacts): UssdReply
}
