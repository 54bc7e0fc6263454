import { newId, type TurnRequest } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { TokenBudgets } from '../../budgets/token-budgets.ts'
import { type CoreTables, rowByRow } from '../../database/core-tables.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import { textOf } from '../../sessions/stored-message.ts'
import { answerSchemaOf } from '../loop/answer-schema.ts'
import type { LoopDependencies } from '../loop/turn-run.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import type { TurnClaim } from '../store/turn.ts'
import { refusals, type TurnRefusal } from '../store/turn-refusals.ts'
import { type AdmitResult, admitTurn, type ClaimResult, claimTurn } from './claim-turn.ts'

/** The most earlier messages of a client that a turn stores. */
const maxHistory = 400

/** The longest note, in characters. */
const maxNote = 8_000

type PluginOptions = Pick<TurnRequest, 'clientTools' | 'outputSchema' | 'signal' | 'within'>

/** Returns options of a plugin for a turn, or for the turn that goes on after an approval. */
export const pluginOptions = ({ clientTools, outputSchema, signal, within }: PluginOptions) => ({
  clientTools,
  answerSchema: outputSchema && answerSchemaOf(outputSchema),
  signal,
  within,
  awaited: true,
})

/** Returns the turn that a plugin requests. */
export const requestedTurn = (request: TurnRequest): RequestedTurn => {
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
    whenBusy: request.whenBusy,
    approvals: request.approvals,
    timeLimitMs: request.timeLimitMs,
  }
}

/** Returns the claim of a requested turn. */
export const claimOf = (
  { continues, ...request }: RequestedTurn,
  facts: Pick<TurnClaim, 'admitted' | 'model' | 'processId' | 'startedAt'>,
): TurnClaim => ({
  ...request,
  id: newId('turn'),
  answerId: continues?.answerId ?? newId('msg'),
  continues: continues?.turnId,
  ...facts,
})

/** Returns the stored question that is to be answered again; the client's history does not count. */
export const questionToAnswer = async (
  sessions: SessionStore,
  { actor, sessionId, regenerate }: RequestedTurn,
): Promise<string | undefined> => {
  const messages = await sessions.messages(actor.did, sessionId)
  const named = messages.findIndex(message => message.id === regenerate?.messageId)
  const before = named < 0 ? messages : messages.slice(0, named + 1)
  const asked = before.findLast(message => message.role === 'user')
  return asked && textOf(asked.parts)
}

/** Returns why a turn cannot begin at all; undefined where it exists already or may begin later. */
export const refusedClaim = ({ kind }: Pick<ClaimResult, 'kind'>): TurnRefusal | undefined => {
  if (kind === 'replayed') return refusals.nonceSpent
  if (kind === 'message_id_taken') return refusals.messageIdTaken
  return kind === 'approval_withdrawn' ? refusals.approvalWithdrawn : undefined
}

/** Stores the claims of turns. Each call is one transaction. */
export interface ClaimStore {
  /** @param committed Called with the result a moment before it is on disk. */
  claim(claim: TurnClaim, committed?: (result: ClaimResult) => void): Promise<ClaimResult>
  /**
   * Writes what an admitted turn writes first, where `claim` holds the session for it only.
   *
   * @param committed Called with the result a moment before it is on disk.
   */
  admit(claim: TurnClaim, committed?: (result: AdmitResult) => void): Promise<AdmitResult>
}

/** Creates the store on the app's storage. */
export const createClaimStore = (storage: Pick<Storage<CoreTables>, 'write'>): ClaimStore => ({
  claim: (claim, committed) =>
    storage.write(tx => claimTurn(tx, claim), { ...rowByRow, ...(committed ? { committed } : {}) }),
  admit: (claim, committed) =>
    storage.write(tx => admitTurn(tx, claim), { ...rowByRow, ...(committed ? { committed } : {}) }),
})

/** Dependencies of turns from their claim to their end. */
export interface ClaimDependencies extends LoopDependencies {
  readonly claims: ClaimStore
  readonly budgets: TokenBudgets
  /** The reason why no model answers, when none is configured. */
  readonly modelProblem: string | undefined
}
