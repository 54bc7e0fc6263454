import type { StartedTurn, TurnResult } from '@sibyl/plugin'
import type { PendingCall } from '@sibyl/plugin/host'
import { type AgUiEvent, type AgUiMessage, frameOf, protocolVersion } from './ag-ui-event.ts'
import { outcomeOf } from './interrupts.ts'
import { TurnTranslator } from './turn-translator.ts'

/** A run as its client asked for it. */
export interface RunFacts {
  readonly threadId: string
  readonly runId: string
  readonly parentRunId?: string | undefined
  /** The version that the client speaks; undefined before 1.0. */
  readonly protocolVersion?: string | undefined
  /** The state of the client's application. */
  readonly state?: unknown
}

/** The events of a run: its turn, or none if it only reads the thread. */
export interface RunStream {
  readonly facts: RunFacts
  readonly turn: StartedTurn | undefined
  /** The conversation, for a client that does not hold it. */
  readonly snapshot: readonly AgUiMessage[] | undefined
  /** The ids of the messages that the client holds. */
  readonly held: ReadonlySet<string>
  /** Calls whose results the client brought. */
  readonly answered: ReadonlySet<string>
  /** Returns what the thread waits for. */
  readonly pending: () => Promise<readonly PendingCall[]>
}

/** Streams a run as events of AG-UI, each as a frame of server-sent events. */
export async function* runEvents(run: RunStream): AsyncGenerator<string> {
  const { facts, turn, snapshot, held, answered, pending } = run
  const { threadId, runId, parentRunId } = facts
  yield frameOf({
    type: 'RUN_STARTED',
    threadId,
    runId,
    ...(facts.protocolVersion === undefined ? {} : { protocolVersion }),
    ...(parentRunId === undefined ? {} : { parentRunId }),
  })
  const state = stateOf(facts, turn?.turnId)
  if (state) yield frameOf({ type: 'STATE_SNAPSHOT', snapshot: state })
  // Clients keep the messages that they hold in place, and add the others after them.
  if (snapshot && isOutOfOrder(snapshot, held)) yield frameOf({ type: 'MESSAGES_SNAPSHOT', messages: [] })
  if (snapshot) yield frameOf({ type: 'MESSAGES_SNAPSHOT', messages: [...snapshot] })
  if (!turn) {
    yield frameOf({ type: 'RUN_FINISHED', threadId, runId, outcome: outcomeOf(await pending(), facts.protocolVersion) })
    return
  }
  const translator = new TurnTranslator(turn.turnId, answered)
  let model: string | undefined
  for await (const { event } of turn.events) {
    if (event.type === 'finish') model = event.messageMetadata?.model
    const translated = translator.translate(event)
    if (translated.length > 0) yield translated.map(frameOf).join('')
  }
  const closing = translator.close()
  const result = await turn.finished
  yield [...closing, await endOf(facts, result, { model, pending })].map(frameOf).join('')
}

/** Returns whether a client holds a message of a snapshot and lacks one before it. */
const isOutOfOrder = (snapshot: readonly AgUiMessage[], held: ReadonlySet<string>): boolean => {
  const lacking = snapshot.findIndex(({ id }) => !held.has(id))
  return lacking >= 0 && snapshot.slice(lacking).some(({ id }) => held.has(id))
}

const endOf = async (
  { threadId, runId, protocolVersion: version }: RunFacts,
  result: TurnResult,
  end: Pick<RunStream, 'pending'> & { readonly model: string | undefined },
): Promise<AgUiEvent> => {
  const { outcome, code = 'turn_failed', detail: message = code } = result
  const usage = [usageOf(result, end.model)]
  if (outcome === 'failed' || outcome === 'interrupted') {
    return { type: 'RUN_ERROR', message, code, usage }
  }
  const finished = { type: 'RUN_FINISHED', threadId, runId, usage } as const
  if (outcome === 'awaiting-approval') return { ...finished, outcome: outcomeOf(await end.pending(), version) }
  if (outcome === 'done') return { ...finished, outcome: { type: 'success' } }
  // Clients from before 1.0 have no such outcome.
  return version === undefined ? finished : { ...finished, outcome: { type: 'cancelled' } }
}

const usageOf = (
  { usage: { inputTokens, cachedInputTokens, outputTokens } }: TurnResult,
  model: string | undefined,
) => ({
  ...(model === undefined ? {} : { model }),
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
  cachedInputTokens,
})

/** Returns the client's state with the oracle's facts beside it; undefined where the state is not an object. */
const stateOf = ({ state, threadId }: RunFacts, turnId: string | undefined): object | undefined => {
  if (state !== undefined && state !== null && (typeof state !== 'object' || Array.isArray(state))) return undefined
  return { ...state, sibyl: { sessionId: threadId, ...(turnId === undefined ? {} : { turnId }) } }
}
