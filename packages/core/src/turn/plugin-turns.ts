import { createHash } from 'node:crypto'
import { messageMetadata } from '@sibyl/protocol'
import type { CheckGrant } from '../auth/grant-check.ts'
import { holdsAbility, sendAbility } from '../auth/holds-ability.ts'
import { SessionBusyError } from '../errors/session-busy-error.ts'
import type { Post, StartedTurn, Transcript, TurnEvent, TurnResult, Turns } from '../plugins/turn.ts'
import type { PostedMessage, SessionStore } from '../sessions/session-store.ts'
import type { StoredMessage } from '../sessions/stored-message.ts'
import { noUsage } from './running-turn.ts'
import type { ReadableTurn } from './start-turn.ts'
import { type EngineRefusal, refusals } from './turn-refusals.ts'
import type { TurnEngine } from './turn-service.ts'
import type { TurnLog } from './turn-stream.ts'

/** How many sessions are read, or deleted, at once. */
const sessionsAtOnce = 200

/** The longest note, in characters. */
const maxNote = 8_000

/** The engine as plugins use it: turns for other channels than HTTP chat. */
export const pluginTurns = (engine: TurnEngine, sessions: SessionStore, checkGrant: CheckGrant): Turns => ({
  async run(request) {
    const verdict = await checkGrant(request.actor)
    if (!verdict.holds) return { refused: verdict.refusal }
    const { actor } = verdict
    if (!holdsAbility(actor.scopes, sendAbility)) return { refused: refusals.maySendNothing }
    const started = await engine.start({
      actor,
      sessionId: request.session,
      channel: request.channel,
      text: request.text,
      message: {
        id: `${request.channel}:${request.dedupeKey ?? crypto.randomUUID()}`,
        parts: [{ type: 'text', text: request.text }],
      },
      ...(request.dedupeKey === undefined ? {} : { messageKey: `${request.channel}/${request.dedupeKey}` }),
      ...(request.note === undefined ? {} : { note: request.note.slice(0, maxNote).toWellFormed() }),
      whenBusy: request.whenBusy,
      approvals: request.approvals,
      ...(request.timeLimitMs === undefined ? {} : { timeLimitMs: request.timeLimitMs }),
      ...(request.signal ? { signal: request.signal } : {}),
      awaited: true,
    })
    if ('refused' in started) return { refused: withoutUnauthenticated(started.refused) }
    return startedTurn(engine, started)
  },
  async decide(decider, approvalId, decision, data) {
    const verdict = await checkGrant(decider)
    if (!verdict.holds) return { refused: verdict.refusal }
    const { actor } = verdict
    if (!holdsAbility(actor.scopes, sendAbility)) return { refused: refusals.maySendNothing }
    const decided = await engine.decide(actor, approvalId, decision, { data }, { awaited: true })
    if ('refused' in decided) return { refused: withoutUnauthenticated(decided.refused) }
    const { turnId, waiting, turn } = decided
    return { turnId, waiting, ...(turn ? { turn: startedTurn(engine, turn) } : {}) }
  },
  stop: (actor, turn) =>
    engine.stop(actor.did, typeof turn === 'string' ? { turnId: turn } : { sessionId: turn.session }),
  async post(post) {
    const message = messageOf(post, engine.services.now())
    for (;;) {
      const posted = await sessions.post(message)
      if (posted === 'posted') return
      if (await engine.makeWay(posted.busyWith, { whenBusy: 'queue' })) throw new SessionBusyError()
    }
  },
  async postWithin(tx, post) {
    return (await sessions.postWithin(tx, messageOf(post, engine.services.now()))) === 'posted'
  },
  async transcripts(did) {
    const transcripts: Transcript[] = []
    for (const { id } of await sessions.list(did, sessionsAtOnce)) {
      transcripts.push({ session: id, messages: (await sessions.messages(did, id)).map(wordsOf) })
    }
    return transcripts
  },
  async forget(did, session) {
    const forgetAll = async (ids: readonly string[]): Promise<number> => {
      let forgotten = 0
      for (const id of ids) {
        await engine.stop(did, { sessionId: id })
        if (await sessions.remove(did, id)) forgotten += 1
      }
      return forgotten
    }
    if (session !== undefined) return forgetAll([session])
    for (let forgotten = 0; ; ) {
      const ids = await sessions.allIds(did, sessionsAtOnce)
      if (ids.length === 0) return forgotten
      forgotten += await forgetAll(ids)
    }
  },
})

const messageOf = ({ did, session, text, dedupeKey }: Post, now: number): PostedMessage => ({
  owner: did,
  sessionId: session,
  id: `post_${createHash('sha256').update(dedupeKey).digest('base64url').slice(0, 24)}`,
  text,
  now,
})

const wordsOf = ({ role, parts, createdAt }: StoredMessage): Transcript['messages'][number] => ({
  role,
  text: parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n'),
  at: createdAt,
})

const startedTurn = (engine: TurnEngine, turn: ReadableTurn): StartedTurn => ({
  turnId: turn.turnId,
  events: eventsOf(turn.log),
  finished: finishedOf(turn).then(async result => {
    if (result.outcome !== 'interrupted') return result
    const acted = engine.services.toolCalls.ofTurn(turn.turnId).then(
      calls => calls.size > 0,
      () => true,
    )
    return { ...result, hasActed: await acted }
  }),
})

/** Plugins present no invocations, so a 401 cannot reach them; 403 stands in for it in the types. */
const withoutUnauthenticated = ({ status, ...rest }: EngineRefusal) => ({
  ...rest,
  status: status === 401 ? (403 as const) : status,
})

/** The events of a turn as they come, from its first one. */
export async function* eventsOf(log: TurnLog): AsyncGenerator<TurnEvent> {
  let position = 0
  for (;;) {
    const ended = log.ended
    for (; position < log.events.length; position += 1) {
      yield { id: log.numberOf(position), event: JSON.parse(log.events[position]!) as TurnEvent['event'] }
    }
    if (ended) return
    if (position === log.events.length && !log.ended) await nextEvents(log)
  }
}

const nextEvents = (log: TurnLog): Promise<void> =>
  new Promise(resolve => {
    const stop = log.listen(() => {
      stop()
      resolve()
    })
  })

const finishedOf = async (turn: ReadableTurn): Promise<TurnResult> => {
  if (turn.running) return turn.running.finished
  let text = ''
  let result: TurnResult | undefined
  for await (const { event } of eventsOf(turn.log)) {
    if (event.type === 'text-delta') text += String(event.delta)
    if (event.type === 'finish' || event.type === 'abort' || event.type === 'error')
      result = resultOf(turn.turnId, event)
  }
  return { ...(result ?? resultOf(turn.turnId, { type: 'error' })), text }
}

/** What the final event tells of a turn that ended before, or runs in another process. */
const resultOf = (turnId: string, event: TurnEvent['event']): TurnResult => {
  const { data } = messageMetadata.safeParse(event.messageMetadata)
  const facts = { turnId, text: '', usage: data?.usage ?? noUsage }
  if (event.type === 'finish') return { ...facts, outcome: data?.outcome ?? 'done' }
  if (event.type === 'abort') return { ...facts, outcome: 'stopped' }
  const code = String(event.code ?? 'turn_failed')
  return { ...facts, outcome: code === 'turn_interrupted' ? 'interrupted' : 'failed', code }
}
