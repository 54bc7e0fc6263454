import type { Actor, Host, Refusal, StartedTurn } from '@sibyl/plugin'
import { type Answer, readAnswer } from './requests/read-answer.ts'
import type { Run } from './requests/read-run.ts'

/** A run with the thread in which it happens. */
export interface RunRequest {
  readonly actor: Actor
  readonly threadId: string
  readonly runId: string
  readonly run: Run
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** A run that has started: its turn, or none where nothing continues yet. */
export interface StartedRun {
  readonly turn: StartedTurn | undefined
  /** Calls whose results the client brought. */
  readonly answered: ReadonlySet<string>
  /** Whether the run has neither a message nor an answer, and only reads the thread. */
  readonly isReading: boolean
}

/** Starts the turn of a run: answers to what the thread waits for come before a new message. */
export const startRun = async (
  turns: Host['turns'],
  request: RunRequest,
): Promise<{ readonly refused: Refusal } | StartedRun> => {
  const { actor, threadId, runId, run, signal } = request
  if (!run.message) return answerPending(turns, request)
  const { id: messageId, text, files } = run.message
  const turn = await turns.run({
    actor,
    session: threadId,
    messageId,
    text,
    ...(files.length > 0 ? { files } : {}),
    history: run.history,
    note: run.note,
    ...(run.clientTools.length > 0 ? { clientTools: run.clientTools } : {}),
    channel: 'ag-ui',
    dedupeKey: runId,
    whenBusy: 'queue',
    approvals: 'ask',
    signal,
  })
  return 'refused' in turn ? turn : { turn, answered: new Set(), isReading: false }
}

/** Answers what the thread waits for; the turn continues with the last answer. */
const answerPending = async (
  turns: Host['turns'],
  { actor, threadId, run, signal }: RunRequest,
): Promise<{ readonly refused: Refusal } | StartedRun> => {
  const { resume, results, clientTools } = run
  const pending = await turns.pending(actor.did, threadId)
  const calls = new Map(pending.flatMap(call => (call.kind === 'client' ? [[call.toolCallId, call] as const] : [])))
  const returned = results.filter(({ toolCallId }) => calls.has(toolCallId))
  const answers: Answer[] = [
    ...resume.map(entry => {
      const call = pending.find(({ approvalId }) => approvalId === entry.interruptId)
      return readAnswer(entry, call)
    }),
    ...returned.map(({ toolCallId, result }): Answer => {
      return { approvalId: calls.get(toolCallId)!.approvalId, decision: 'once', data: result }
    }),
  ]
  const answered = new Set(returned.map(({ toolCallId }) => toolCallId))
  for (const { approvalId, decision, data } of answers) {
    const decided = await turns.decide(actor, approvalId, decision, data, { session: threadId, clientTools, signal })
    if ('refused' in decided) return decided
    if (decided.turn) return { turn: decided.turn, answered, isReading: false }
  }
  return { turn: undefined, answered, isReading: answers.length === 0 }
}
