import type { FlowMachine, FlowState } from '../flow/flow-machine.ts'
import { cleanInput } from '../text/clean-input.ts'
import type { MoveExecutor } from './move-executor.ts'
import type { SessionSettings } from './session-env.ts'
import type { SessionLists } from './session-lists.ts'
import type { SessionPlace } from './session-place.ts'
import type { KnownSession, Move, MoveResult } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** How long a dropped call may be resumed, in milliseconds. */
export const resumeMs = 600_000

/** Dependencies of the resumer. */
export interface SessionResumerDependencies {
  readonly store: SessionStore
  readonly lists: SessionLists
  readonly machine: FlowMachine
  readonly executor: MoveExecutor
  readonly settings: SessionSettings
}

/** Offers a caller who dials again to continue where the last call was dropped. */
export class SessionResumer {
  readonly #dependencies: SessionResumerDependencies

  constructor(dependencies: SessionResumerDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Shows the offer in place of the start screen, whose state is `start`.
   *
   * @returns undefined where there is nothing to go on with
   */
  async offer(move: Move, place: SessionPlace, start: FlowState): Promise<(() => Promise<MoveResult>) | undefined> {
    const { lists, machine, executor, settings } = this.#dependencies
    if (!settings.resume) return undefined
    const earlier = (await lists.ofCaller(place.callers())).find(
      session => session.key !== move.session.key && wasAnswered(session),
    )
    if (earlier === undefined || !mayGoOn(earlier)) return undefined
    const { state } = earlier.record
    if (state.screen === start.screen && state.page === start.page) return undefined
    const reply = machine.offerResume(state, move.facts)
    const texts = { ...move.texts, offer: earlier.key }
    return () => executor.complete({ ...move, texts }, { kind: 'show', state: start, reply })
  }

  /** Handles the answer to the offer: 1 resumes, 2 begins again, `*` ends. */
  async answer(move: Move, known: KnownSession, offer: string, typed: string): Promise<MoveResult> {
    const { machine, executor } = this.#dependencies
    const { state, reply } = known.record
    const text = cleanInput(typed)
    const cut = text.indexOf('*')
    const choice = cut < 0 ? text : text.slice(0, cut)
    const rest = cut < 0 ? undefined : text.slice(cut + 1)
    if (cut === 0) return await executor.complete(move, machine.take(state, '*', move.facts))
    if (choice === '1') return await this.#goOn(move, state, offer, rest)
    if (choice === '2') return await executor.complete(move, this.#step(move, state, rest))
    return await executor.complete({ ...move, texts: { ...move.texts, offer } }, { kind: 'show', state, reply })
  }

  async #goOn(move: Move, start: FlowState, offer: string, rest: string | undefined): Promise<MoveResult> {
    const { store, executor } = this.#dependencies
    const earlier = await store.find(offer)
    if (earlier === undefined || !mayGoOn(earlier))
      return await executor.complete(move, this.#step(move, start, undefined))
    const step = this.#step(move, earlier.record.outcome?.state ?? earlier.record.state, rest)
    return await executor.complete(move, step, tx => store.endIn(tx, earlier))
  }

  #step(move: Move, state: FlowState, rest: string | undefined) {
    const { machine } = this.#dependencies
    if (rest !== undefined && rest !== '') return machine.take(state, rest, move.facts, false)
    return { kind: 'show', state, reply: machine.show(state, move.facts) } as const
  }
}

const wasAnswered = ({ record }: KnownSession): boolean => record.text !== undefined || record.shortcut !== ''

/** Returns whether a session may be resumed in another call. A signed-in session may not once it has expired. */
const mayGoOn = ({ status, record, idleMs, live }: KnownSession): boolean => {
  const { state, run, outcome } = record
  if (status === 'ended' || run !== undefined || idleMs >= resumeMs) return false
  return live || [state, outcome?.state].every(one => one === undefined || !isPrivate(one))
}

const isPrivate = ({ customerId, secrets }: FlowState): boolean =>
  customerId !== undefined || Object.keys(secrets).length > 0
