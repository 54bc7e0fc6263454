import { Chat, useChat } from '@ai-sdk/react'
import {
  type ChatTurn,
  createClient,
  type OracleClient,
  type SessionRecord,
  SibylChatTransport,
  TurnFailedError,
} from '@sibyl/client'
import { type approvalDecision, sessionRecord } from '@sibyl/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessageChunk } from 'ai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import type { ApiClient } from '../api/api-client.ts'
import { firstPageKey } from '../components/use-pages.ts'
import { useApi, useConsole } from '../session/console-context.tsx'
import type { ChatMessage } from './chat-message.ts'

/** The client of the oracle for streams, with the credential of the user. */
export const useOracleClient = (): OracleClient => {
  const { base, api, session } = useConsole()
  return useMemo(
    () =>
      createClient({
        url: base.oracle,
        // A request without a token is rejected with the code that shows the sign-in.
        token: async () => (await session.accessToken()) ?? 'signed-out',
        fetch: api.fetch,
      }),
    [base, api, session],
  )
}

/** Returns the messages of a session; what a running turn wrote so far comes with its stream. */
export const messagesOf = ({ messages, runningTurn }: SessionRecord): ChatMessage[] => {
  const all = messages as ChatMessage[]
  const last = all.at(-1)
  return runningTurn !== undefined && last?.role === 'assistant' && last.metadata?.turnId === runningTurn
    ? all.slice(0, -1)
    : all
}

/** Messages at the end of a conversation that are read again. */
const tail = 20

/** Reads a session. Of a long conversation the end alone is read, if the rest is known and the end begins as it did. */
const readSession = async (api: ApiClient, id: string, known: readonly ChatMessage[]): Promise<SessionRecord> => {
  const path = `/sessions/${encodeURIComponent(id)}`
  const from = known.length - tail
  const [before, first] = [known[from - 1], known[from]]
  if (before !== undefined && first !== undefined) {
    const session = await api.get(path, { schema: sessionRecord, query: { after: before.id } })
    if (session.messages[0]?.id === first.id) {
      return { ...session, messages: [...known.slice(0, from), ...session.messages] as SessionRecord['messages'] }
    }
  }
  return api.get(path, { schema: sessionRecord })
}

/** A conversation with the oracle: its messages, and what can be done with them. */
export const useOracleChat = (sessionId: string, stored: SessionRecord | undefined) => {
  const client = useOracleClient()
  const api = useApi()
  const queries = useQueryClient()
  const [isAway, setAway] = useState(false)
  const [transport] = useState(() => new AnsweringTransport(client, () => setAway(true)))
  const [chat] = useState(
    () =>
      new Chat<ChatMessage>({
        id: sessionId,
        transport,
        messages: stored ? messagesOf(stored) : [],
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      }),
  )
  const state = useChat({ chat, throttle: 50 })
  const { status, messages } = state
  // Whatever arrives, or the end of the tries.
  useEffect(() => setAway(false), [messages, status])
  // Why the latest answer is missing, as the oracle stored it: the error of the chat ends with the page.
  const [failure, setFailure] = useState(stored?.failure)
  const isBusy = status === 'submitted' || status === 'streaming'

  /** Reads the session again, and follows the turn that runs in it. */
  const reload = useCallback(async () => {
    const session = await readSession(api, sessionId, chat.messages)
    if (chat.status === 'submitted' || chat.status === 'streaming') return
    chat.clearError()
    chat.messages = messagesOf(session)
    setFailure(session.failure)
    if (session.runningTurn === undefined) return
    await chat.resumeStream()
    // The stream of a turn that went on after an approval does not repeat what was before it.
    const ended = await readSession(api, sessionId, chat.messages)
    chat.messages = messagesOf(ended)
    setFailure(ended.failure)
  }, [api, chat, sessionId])

  useEffect(() => {
    if (stored?.runningTurn !== undefined) void reload().catch(() => undefined)
    return () => void chat.stop()
  }, [stored, reload, chat])

  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !isBusy) {
      // A stopped turn ends its stream without saying how it ended.
      if (status === 'ready' && chat.lastMessage?.metadata?.outcome === undefined) void reload().catch(() => undefined)
      void queries.invalidateQueries({ queryKey: [firstPageKey, '/sessions'] })
      void queries.invalidateQueries({ queryKey: ['chat', sessionId] })
    }
    if (isBusy) setFailure(undefined)
    wasBusy.current = isBusy
  }, [isBusy, status, chat, reload, queries, sessionId])

  return {
    ...state,
    error: state.error ?? (failure && !isBusy ? new TurnFailedError(failure.text, failure.code) : undefined),
    transport,
    isBusy,
    /** Whether the connection broke in the middle of the answer, and is tried again. */
    isAway: isAway && isBusy,
    reload,
    async stopTurn() {
      await transport.stop(sessionId)
    },
  }
}

export type OracleChat = ReturnType<typeof useOracleChat>

type SendOptions = Parameters<SibylChatTransport<ChatMessage>['sendMessages']>[0]

/** Connects `useChat` to the oracle, and sends approvals for the conversation and answers with data, which it does not know. */
class AnsweringTransport extends SibylChatTransport<ChatMessage> {
  readonly #client: OracleClient
  readonly #answers = new Map<string, z.infer<typeof approvalDecision>>()

  constructor(client: OracleClient, onReconnecting: () => void) {
    super({ client, onReconnecting })
    this.#client = client
  }

  /** Sets what is sent with the answer to an approval; call it before `addToolApprovalResponse` of the chat. */
  answerWith(approvalId: string, answer: z.infer<typeof approvalDecision>): void {
    this.#answers.set(approvalId, answer)
  }

  override async sendMessages(options: SendOptions): Promise<ReadableStream<UIMessageChunk>> {
    const message = options.messages.at(-1)
    const given = (message?.parts ?? []).flatMap(part =>
      'approval' in part && part.state === 'approval-responded' ? [part.approval] : [],
    )
    if (message?.role !== 'assistant' || !given.some(({ id }) => this.#answers.has(id))) {
      return super.sendMessages(options)
    }
    let turn: ChatTurn | undefined
    for (const { id, approved } of given) {
      const { decision, ...more } = this.#answers.get(id) ?? { decision: approved ? 'once' : 'deny' }
      const decided = await this.#client.decide(options.chatId, id, decision, { ...more, signal: options.abortSignal })
      this.#answers.delete(id)
      if ('events' in decided) turn = decided
    }
    return turn ? this.chunksOf(turn) : super.sendMessages(options)
  }
}
