import type { FlowMachine, FlowState } from '../flow/flow-machine.ts'
import { cleanInput } from '../text/clean-input.ts'
import type { ActionMover } from './action-mover.ts'
import type { SessionSettings } from './session-env.ts'
import type { SessionLists } from './session-lists.ts'
import type { SessionPlace } from './session-place.ts'
import type { KnownSession, Move, MoveResult } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** For how long a dropped call may be gone on with, in milliseconds. */
export const resumeMs = 600_000

/** What resuming rests on. */
export interface SessionResumerParts {
  readonly store: SessionStore
  readonly lists: SessionLists
  readonly machine: FlowMachine
  readonly actions: ActionMover
  readonly settings: SessionSettings
}

/** Offers somebody who dials again to go on where the last call was dropped. */
export class SessionResumer {
  readonly #parts: SessionResumerParts

  constructor(parts: SessionResumerParts) {
    this.#parts = parts
  }

  /**
   * Shows the offer in place of the start screen, whose state is `start`.
   *
   * @returns undefined where there is nothing to go on with
   */
  async offer(move: Move, place: SessionPlace, start: FlowState): Promise<(() => Promise<MoveResult>) | undefined> {
    const { lists, machine, actions, settings } = this.#parts
    if (!settings.resume) return undefined
    const earlier = (await lists.ofCaller(place.callers())).find(
      session => session.key !== move.session.key && wasAnswered(session),
    )
    if (earlier === undefined || !mayGoOn(earlier)) return undefined
    const { state } = earlier.record
    if (state.screen === start.screen && state.page === start.page) return undefined
    const reply = machine.offerResume(state, move.facts)
    const texts = { ...move.texts, offer: earlier.key }
    return () => actions.settle({ ...move, texts }, { kind: 'show', state: start, reply })
  }

  /** Takes the answer to the offer: 1 goes on, 2 begins anew, `*` ends. */
  async answer(move: Move, known: KnownSession, offer: string, typed: string): Promise<MoveResult> {
    const { machine, actions } = this.#parts
    const { state, reply } = known.record
    const text = cleanInput(typed)
    const cut = text.indexOf('*')
    const choice = cut < 0 ? text : text.slice(0, cut)
    const rest = cut < 0 ? undefined : text.slice(cut + 1)
    if (cut === 0) return await actions.settle(move, machine.take(state, '*', move.facts))
    if (choice === '1') return await this.#goOn(move, state, offer, rest)
    if (choice === '2') return await actions.settle(move, this.#step(move, state, rest))
    return await actions.settle({ ...move, texts: { ...move.texts, offer } }, { kind: 'show', state, reply })
  }

  async #goOn(move: Move, start: FlowState, offer: string, rest: string | undefined): Promise<MoveResult> {
    const { store, actions } = this.#parts
    const earlier = await store.find(offer)
    if (earlier === undefined || !mayGoOn(earlier))
      return await actions.settle(move, this.#step(move, start, undefined))
    const step = this.#step(move, earlier.record.outcome?.state ?? earlier.record.state, rest)
    return await actions.settle(move, step, tx => store.endIn(tx, earlier))
  }

  #step(move: Move, state: FlowState, rest: string | undefined) {
    const { machine } = this.#parts
    if (rest !== undefined && rest !== '') return machine.take(state, rest, move.facts, false)
    return { kind: 'show', state, reply: machine.show(state, move.facts) } as const
  }
}

const wasAnswered = ({ record }: KnownSession): boolean => record.text !== undefined || record.shortcut !== ''

/** Whether a session may be gone on with in another call. What a PIN opened is closed once it has been idle too long. */
const mayGoOn = ({ status, record, idleMs, live }: KnownSession): boolean => {
  const { state, run, outcome } = record
  if (status === 'ended' || run !== undefined || idleMs >= resumeMs) return false
  return live || [state, outcome?.state].every(one => one === undefined || !isPrivate(one))
}

const isPrivate = ({ customerId, secrets }: FlowState): boolean =>
  customerId !== undefined || Object.keys(secrets).length > 0
