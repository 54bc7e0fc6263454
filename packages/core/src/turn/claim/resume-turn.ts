import { holdsAbility } from '@sibyl/plugin'
import { sendAbility } from '@sibyl/plugin/host'
import { TurnTimings } from '@sibyl/telemetry'
import type { TokenBudgets, TokenReservation } from '../../budgets/token-budgets.ts'
import { isToolPart } from '../../sessions/stored-message.ts'
import { inOrder } from '../approvals/continue-turn.ts'
import type { LoopDependencies } from '../loop/turn-run.ts'
import { countedTools } from '../store/interrupt-turn.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import { RunningTurn, type StoredTurn } from '../store/running-turn.ts'
import { type ClaimedSession, modelOf, type TurnCheckpoint, type TurnRow } from '../store/turn.ts'
import { readResumable } from '../store/turn-progress.ts'

/** The number of times that a turn continues from the same checkpoint, and how often in all. */
const maxTries = 3
const maxResumptions = 90

/** Dependencies of turns that continue. */
type ResumeDependencies = LoopDependencies & { readonly budgets: TokenBudgets }

/** Everything that a process needs to continue a turn. */
interface Resumption {
  readonly request: RequestedTurn
  readonly session: ClaimedSession
  readonly stored: StoredTurn
  readonly repeatsStep: boolean
  readonly reserved: TokenReservation
}

const start: TurnCheckpoint = { event: 0, parts: 0, steps: 0, calls: false, resumptions: 0, tries: 0 }

/**
 * Returns what a process needs to continue a turn whose process is gone; undefined if none can. None can if its request is
 * not stored, a call that a person had decided about asked again, it was stopped, its rights or its tokens have ended, a plugin
 * refuses it, a call had begun of which the checkpoint does not know, or it continued from the same place three times.
 */
const resumptionOf = async (
  { toolCalls, approvals, sessions, turns, budgets, hooks, checkGrant }: ResumeDependencies,
  row: TurnRow,
): Promise<Resumption | undefined> => {
  const { id, owner, sessionId, answerId, checkpoint = start } = row
  if (row.resumable === undefined || row.stopRequested || !row.admitted) return undefined
  const { continued, ...request } = readResumable(row.resumable)
  const { calls, resumptions, tries } = checkpoint
  // The calls that a person decided about are not all done.
  const waits = continued && checkpoint.event === 0 ? continued : undefined
  if (tries >= maxTries || resumptions >= maxResumptions) return undefined
  const [begun, asked, answer, session, events, verdict] = await Promise.all([
    toolCalls.ofTurn(id),
    approvals.ofTurn(id),
    sessions.message(owner, sessionId, answerId),
    sessions.find(owner, sessionId),
    turns.eventsAfter(id, 0),
    checkGrant(row.actor),
  ])
  if (!session || !verdict.holds || !holdsAbility(verdict.actor.scopes, sendAbility)) return undefined
  const open = asked.filter(({ state }) => state === 'open')
  if (waits && open.length > 0) return undefined
  const parts = (answer?.parts ?? []).slice(0, waits?.parts ?? (calls ? undefined : checkpoint.parts))
  const known = new Set(parts.flatMap(part => (isToolPart(part) ? [part.toolCallId] : [])))
  const stays = [...begun.keys(), ...(calls ? open : []).map(({ toolCallId }) => toolCallId)]
  if (stays.some(callId => !known.has(callId.split('/')[0]!))) return undefined
  const { actor } = verdict
  const { channel, text, usage, tools } = row
  const { signal } = new AbortController()
  const turn = { id, actor, text, channel, signal, session: { id: sessionId, loadedPlugins: session.loadedPlugins } }
  if (hooks.hasBefore && (await hooks.before(turn))) return undefined
  const reserved = await budgets.reserve(actor)
  if ('why' in reserved) return undefined
  const decided = waits && (await approvals.ofTurn(waits.turnId))
  const continues = waits && decided && { turnId: waits.turnId, answerId, parts, approvals: inOrder(decided, parts) }
  return {
    request: { ...request, actor, sessionId, channel, text, whenBusy: 'queue', awaited: false, continues },
    session: { ...session, createdSession: false },
    stored: {
      events: calls ? events : events.filter(event => event.id <= checkpoint.event),
      parts,
      usage,
      tools: countedTools(tools, [...begun.values()]),
      checkpoint: { ...checkpoint, resumptions: resumptions + 1, tries: tries + 1 },
    },
    repeatsStep: !calls && !waits,
    reserved,
  }
}

/**
 * Takes over a turn whose process is gone.
 *
 * @param silentForMs That of `TurnToTakeOver`.
 * @returns the turn; true if it is not there any more, false if no process can continue it
 */
export const resumeTurn = async (
  dependencies: ResumeDependencies,
  row: TurnRow,
  silentForMs: number | undefined,
): Promise<{ readonly running: RunningTurn; readonly reserved: TokenReservation } | boolean> => {
  const { turns, telemetry, storesTimings, modelName, log, now } = dependencies
  const resumption = await resumptionOf(dependencies, row)
  if (!resumption) return false
  const { request, session, stored, repeatsStep, reserved } = resumption
  let isTaken = false
  try {
    isTaken = await turns.takeOver({ ...stored, turn: row, repeatsStep, silentForMs, now: now() })
  } finally {
    if (!isTaken) reserved.release(0)
  }
  if (!isTaken) return true
  const { id, sessionId, channel } = row
  log.info('a turn continues after its process ended', { turn: id, session: sessionId, steps: stored.checkpoint.steps })
  const watch = telemetry.turn({ id, sessionId, channel, model: modelOf(request, modelName) })
  const timings = storesTimings ? new TurnTimings() : undefined
  const facts = { ...row, actor: request.actor }
  return { running: new RunningTurn(facts, request, session, { watch, timings, stored }), reserved }
}
