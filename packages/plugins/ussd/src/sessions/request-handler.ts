import { ussdErrors } from '../errors/ussd-errors.ts'
import type { FlowFacts } from '../flow/flow-machine.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { LateActions } from './late-actions.ts'
import type { MoveExecutor, MoveExecutorDependencies } from './move-executor.ts'
import { isDial, type Reading, readRequest } from './read-request.ts'
import type { SessionSettings } from './session-env.ts'
import type { SessionPlace } from './session-place.ts'
import type { KnownSession, Move, MoveResult, PendingRun } from './session-record.ts'
import type { SessionResumer } from './session-resumer.ts'
import type { SessionSeals } from './session-seals.ts'

/** Most reads of a session that other processes move meanwhile. */
const mostTries = 25

/** Dependencies of the handler. */
export interface RequestHandlerDependencies extends Pick<MoveExecutorDependencies, 'store' | 'machine' | 'runs'> {
  readonly settings: SessionSettings
  readonly executor: MoveExecutor
  readonly late: LateActions
  readonly resumer: SessionResumer
  readonly seals: SessionSeals
  readonly knownLanguage: (phoneNumber: string) => Promise<string | undefined>
}

/** Handles the requests of a session, one after the other. */
export class RequestHandler {
  readonly #dependencies: RequestHandlerDependencies

  constructor(dependencies: RequestHandlerDependencies) {
    this.#dependencies = dependencies
  }

  /** Handles a request that shows something. A dial is first treated as that of a new session, without a read. */
  async serve(request: UssdRequest, place: SessionPlace): Promise<UssdReply> {
    const { settings, runs } = this.#dependencies
    const blind = isDial(request) && !settings.resume && runs.get(place.keys[0]) === undefined
    for (let tries = 0; tries < mostTries; tries++) {
      const known = tries === 0 && blind ? undefined : await this.#dependencies.store.findFirst(place.keys)
      const reply = await this.#attempt(request, place, known)
      if (reply !== undefined) return reply
    }
    throw ussdErrors.ussd_session_contested({ tries: mostTries })
  }

  /** Handles `release` and `timeout`: the network ended the session. */
  async drop(place: SessionPlace): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const known = await this.#dependencies.store.findFirst(place.keys)
      if (known?.status !== 'active') return
      const session = { ...known, version: known.version + 1, status: 'dropped' } as const
      if (await this.#dependencies.store.save(session, { touched: false, running: 'as-before' })) return
    }
    throw ussdErrors.ussd_session_contested({ tries: mostTries })
  }

  async #attempt(request: UssdRequest, place: SessionPlace, known: KnownSession | undefined): Promise<MoveResult> {
    const reading = readRequest(request, place.shortcut, known)
    if (reading.kind === 'repeat' && known !== undefined) return await this.#dependencies.late.repeat(known)
    const move = this.#moveOf(request, place, known, reading)
    if (reading.kind === 'take' && known !== undefined) return await this.#take(move, known, reading.typed)
    this.#dependencies.runs.get(move.session.key)?.leave()
    return await this.#begin(request, place, move, reading.kind === 'begin' ? reading.answers : '')
  }

  async #begin(request: UssdRequest, place: SessionPlace, move: Move, answers: string): Promise<MoveResult> {
    const { machine, knownLanguage, resumer, executor } = this.#dependencies
    const language = machine.languages.length > 1 ? await knownLanguage(request.phoneNumber) : undefined
    const step = machine.begin(move.facts, { language })
    if (step.kind === 'run') return await executor.complete(move, step)
    if (answers !== '') return await executor.complete(move, machine.take(step.state, answers, move.facts, false))
    const offered = isDial(request) ? await resumer.offer(move, place, step.state) : undefined
    return await (offered?.() ?? executor.complete(move, step))
  }

  async #take(move: Move, known: KnownSession, typed: string): Promise<MoveResult> {
    const { machine, executor, resumer, late } = this.#dependencies
    const { state, offer, run, outcome } = known.record
    if (offer !== undefined) return await resumer.answer(move, known, offer, typed)
    const step = machine.take(state, typed, move.facts)
    if (run === undefined && outcome === undefined) return await executor.complete(move, step)
    if (step.kind === 'show') return await late.stay(move, known, step)
    if (outcome !== undefined) return await executor.complete(move, { kind: 'show', ...outcome })
    return await late.awaitOutcome(move, known, run as PendingRun, step.action)
  }

  #moveOf(request: UssdRequest, place: SessionPlace, known: KnownSession | undefined, reading: Reading): Move {
    const { phoneNumber, limits, text, textMode, sequence } = request
    const key = known?.key ?? place.keys[0]
    const fresh = reading.kind !== 'take'
    const serviceCode = (fresh ? undefined : known?.serviceCode) ?? place.serviceCode
    const facts: FlowFacts = { phoneNumber, serviceCode, limits }
    return {
      facts,
      session: {
        key,
        sessionId: request.sessionId,
        provider: request.provider,
        serviceCode,
        phone: known?.phone ?? this.#dependencies.seals.phone(phoneNumber, key),
        caller: known?.caller ?? (this.#dependencies.settings.resume ? place.callers()[0] : null),
        version: known?.version ?? 0,
      },
      texts: {
        mode: reading.kind === 'repeat' ? textMode : reading.mode,
        shortcut: fresh ? place.shortcut : (known?.record.shortcut ?? ''),
        text: isDial(request) ? undefined : text,
        sequence: sequence ?? (fresh ? undefined : known?.record.sequence),
      },
    }
  }
}
