import { createHash } from 'node:crypto'
import { holdsAbility, type StartedTurn, type TurnRequest, type TurnResult, TurnText } from '@sibyl/plugin'
import {
  type PendingCall,
  type Post,
  sendAbility,
  type Transcript,
  type TurnEvent,
  type Turns,
} from '@sibyl/plugin/host'
import { messageMetadata } from '@sibyl/protocol'
import { readAttachments } from '../attachments/read-attachments.ts'
import { withAttachments } from '../attachments/with-attachments.ts'
import { coreErrors } from '../errors/core-errors.ts'
import type { PluginRegistry } from '../plugins/plugin-registry.ts'
import type { PostedMessage } from '../sessions/session-store.ts'
import type { StoredMessage } from '../sessions/stored-message.ts'
import type { ClaimDependencies } from './claim/local-turns.ts'
import { answerSchemaOf } from './loop/answer-schema.ts'
import { sessionTools } from './session-tools.ts'
import type { Approval } from './store/approval-store.ts'
import type { RequestedTurn } from './store/requested-turn.ts'
import type { ReadableTurn } from './store/running-turn.ts'
import type { ToolCallStore } from './store/tool-call-store.ts'
import { noUsage } from './store/turn.ts'
import { refusals, type TurnRefusal } from './store/turn-refusals.ts'
import { eventsOf } from './stream/turn-events.ts'
import type { TurnService } from './turn-service.ts'

/** The sessions that are read, or deleted, at once. */
const sessionsAtOnce = 200
/** After so many sessions that are deleted the log of the database is copied. */
const copiedEvery = 4

/** The most earlier messages of a client that a turn stores. */
const maxHistory = 400

/** The longest note, in characters. */
const maxNote = 130_000

/** Returns turns as plugins use them, for other channels than HTTP chat. */
export const pluginTurns = (
  service: TurnService,
  { sessions, toolCalls, checkGrant, attachments, catalog, notifier, now, log }: ClaimDependencies,
  registry: PluginRegistry,
): Turns => ({
  async run(request) {
    registry.assertComplete()
    const verdict = await checkGrant(request.actor)
    if (!verdict.holds) return { refused: verdict.refusal }
    const { actor } = verdict
    if (!holdsAbility(actor.scopes, sendAbility)) return { refused: refusals.maySendNothing }
    const start = requestedTurn({ ...request, actor })
    const { files: given = [] } = request
    const { files, maxBytes } = attachments()
    const read = given.length === 0 ? undefined : await readAttachments(given, { files, actor, maxBytes, now: now() })
    const started = await service.start(read ? withAttachments(start, read) : start)
    if ('refused' in started) return { refused: withoutUnauthenticated(started.refused) }
    return startedTurn(service, toolCalls, started)
  },
  async decide(decider, approvalId, decision, data, options = {}) {
    registry.assertComplete()
    const verdict = await checkGrant(decider)
    if (!verdict.holds) return { refused: verdict.refusal }
    const { actor } = verdict
    if (!holdsAbility(actor.scopes, sendAbility)) return { refused: refusals.maySendNothing }
    const decided = await service.decide(
      actor,
      approvalId,
      decision,
      { data },
      {
        ...pluginOptions(options),
        maxQuestion: options.maxQuestion,
        sessionId: options.session,
      },
    )
    if ('refused' in decided) return { refused: withoutUnauthenticated(decided.refused) }
    const { turnId, waiting, turn } = decided
    return { turnId, waiting, ...(turn ? { turn: startedTurn(service, toolCalls, turn) } : {}) }
  },
  async tools(request) {
    registry.assertComplete()
    const verdict = await checkGrant(request.actor)
    if (!verdict.holds) return { refused: verdict.refusal }
    return sessionTools({ ...request, actor: verdict.actor }, { catalog, sessions, log })
  },
  onToolsChanged: (did, session, listener) => notifier.onToolsChanged(did, session, listener),
  async follow(did, turnId) {
    registry.assertComplete()
    const turn = await service.follow(did, turnId)
    return turn && startedTurn(service, toolCalls, turn)
  },
  async pending(did, session) {
    registry.assertComplete()
    return (await service.openCalls(did, session)).map(pendingCall)
  },
  async stop(actor, turn) {
    registry.assertComplete()
    return service.stop(actor.did, typeof turn === 'string' ? { turnId: turn } : { sessionId: turn.session })
  },
  async post(post) {
    registry.assertComplete()
    const message = messageOf(post, now())
    for (;;) {
      const posted = await sessions.post(message)
      if (posted === 'posted') return
      if (await service.makeWay(posted.busyWith, { whenBusy: 'queue' })) throw coreErrors.session_busy()
    }
  },
  async postWithin(tx, post) {
    registry.assertComplete()
    return (await sessions.postWithin(tx, messageOf(post, now()))) === 'posted'
  },
  async transcripts(did, { session, limit = sessionsAtOnce } = {}) {
    registry.assertComplete()
    const transcripts: Transcript[] = []
    const found =
      session === undefined
        ? await sessions.list(did, { limit: Math.min(limit, sessionsAtOnce) })
        : [await sessions.find(did, session)]
    for (const one of found) {
      if (one) transcripts.push({ session: one.id, messages: (await sessions.messages(did, one.id)).map(wordsOf) })
    }
    return transcripts
  },
  async sessions(did, limit) {
    registry.assertComplete()
    const found = await sessions.list(did, { limit: Math.min(limit, sessionsAtOnce) })
    return found.map(({ id, title }) => ({ session: id, title }))
  },
  async messages(did, session, { after } = {}) {
    registry.assertComplete()
    return (await sessions.messages(did, session, after)).map(({ id, role, parts }) => ({ id, role, parts }))
  },
  async forget(did, session) {
    registry.assertComplete()
    const forgetAll = async (ids: readonly string[]): Promise<number> => {
      let forgotten = 0
      for (const [index, id] of ids.entries()) {
        // Emptying the log for each of thousands of sessions takes longer than an erasure may.
        const log = id === ids.at(-1) ? 'emptied' : index % copiedEvery === 0 ? 'copied' : 'left'
        if (await service.forget(did, id, log)) forgotten += 1
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

const pendingCall = ({ id, turnId, toolCallId, tool, input, kind, question, schema }: Approval): PendingCall => ({
  turnId,
  approvalId: id,
  toolCallId,
  tool,
  input,
  kind: kind === 'outcome' ? 'question' : kind,
  text: question,
  ...(schema === undefined ? {} : { schema }),
})

/** The outcomes after which a message is sent again. */
const mayRepeat: ReadonlySet<TurnResult['outcome']> = new Set(['failed', 'interrupted', 'stopped'])

const startedTurn = (service: TurnService, toolCalls: ToolCallStore, turn: ReadableTurn): StartedTurn => {
  const finished = finishedOf(service, turn).then(async result => {
    if (!mayRepeat.has(result.outcome)) return result
    const acted = toolCalls.ofTurn(turn.turnId).then(
      calls => calls.size > 0,
      () => true,
    )
    return { ...result, hasActed: await acted }
  })
  // A plugin may read the events alone.
  finished.catch(() => {})
  return {
    turnId: turn.turnId,
    isRunning: () => !turn.stream.ended,
    events: { [Symbol.asyncIterator]: () => eventsOf(turn.stream) },
    finished,
  }
}

/** Plugins present no invocations, so a 401 cannot reach them; 403 stands in for it in the types. */
const withoutUnauthenticated = ({ status, ...rest }: TurnRefusal) => ({
  ...rest,
  status: status === 401 ? (403 as const) : status,
})

const finishedOf = async (service: TurnService, turn: ReadableTurn): Promise<TurnResult> => {
  if (turn.finished) {
    const result = await turn.finished
    if (!turn.stream.abandoned || !service.closing) return result
    await service.handedOver
    throw coreErrors.turn_handed_over()
  }
  const written = new TurnText()
  let result: TurnResult | undefined
  for await (const item of eventsOf(turn.stream)) {
    written.add(item)
    const { event } = item
    if (event.type === 'finish' || event.type === 'abort' || event.type === 'error')
      result = resultOf(turn.turnId, event)
  }
  return { ...(result ?? resultOf(turn.turnId)), text: written.text }
}

/** Returns the result in the final event of a turn that ended before, or runs in another process. */
const resultOf = (turnId: string, event?: TurnEvent['event']): TurnResult => {
  const { data } = messageMetadata.safeParse(event?.type === 'finish' ? event.messageMetadata : undefined)
  const facts = { turnId, text: '', usage: data?.usage ?? noUsage }
  if (event?.type === 'finish') return { ...facts, outcome: data?.outcome ?? 'done' }
  if (event?.type === 'abort') return { ...facts, outcome: 'stopped', detail: event.reason ?? 'Stopped.' }
  const { code, errorText: detail } =
    event?.type === 'error' ? event : { code: 'turn_failed', errorText: 'The turn failed.' }
  return { ...facts, outcome: code === 'turn_interrupted' ? 'interrupted' : 'failed', code, detail }
}

type PluginOptions = Pick<TurnRequest, 'clientTools' | 'outputSchema' | 'signal' | 'within'>

/** Returns options of a plugin for a turn, or for the turn that goes on after an approval. */
const pluginOptions = ({ clientTools, outputSchema, signal, within }: PluginOptions) => ({
  clientTools,
  answerSchema: outputSchema && answerSchemaOf(outputSchema),
  signal,
  within,
  awaited: true,
})

/** Returns the turn that a plugin requests. */
const requestedTurn = (request: TurnRequest): RequestedTurn => {
  const { actor, session: sessionId, channel, text, call, messageId, dedupeKey } = request
  const id = messageId ?? `${channel}:${dedupeKey ?? crypto.randomUUID()}`
  return {
    ...pluginOptions(request),
    actor,
    sessionId,
    channel,
    text,
    calls: call && [call],
    message: call ? undefined : { id, parts: [{ type: 'text', text }] },
    replaces: messageId === undefined || call ? undefined : { messageId },
    capabilities: request.capabilities,
    messageKey: dedupeKey === undefined ? undefined : `${channel}/${dedupeKey}`,
    note: request.note?.slice(0, maxNote).toWellFormed(),
    history: request.history?.slice(-maxHistory),
    toolChoice: request.toolChoice,
    whenBusy: request.whenBusy,
    approvals: request.approvals,
    timeLimitMs: request.timeLimitMs,
  }
}
