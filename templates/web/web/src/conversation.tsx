import { useChat } from '@ai-sdk/react'
import { type OracleClient, SibylChatTransport } from '@sibyl/client'
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Composer } from './composer.tsx'
import { Failure, isBlocking } from './failure.tsx'
import { Message } from './message.tsx'

interface ConversationProps {
  readonly client: OracleClient
  readonly session: { readonly id: string; readonly messages: UIMessage[]; readonly isRunning: boolean }
  /** Called when a turn starts and when it has ended. */
  readonly onTurn: () => void
  /** Called with an error after which the user cannot go on. */
  readonly onBlocked: (error: unknown) => void
}

const suggestions = ['What can you do?', "What's the weather in Berlin?"]

/** One conversation: its messages and the form for the next one. */
export const Conversation = ({ client, session, onTurn, onBlocked }: ConversationProps) => {
  const transport = useMemo(() => new SibylChatTransport({ client }), [client])
  const chat = useChat({
    id: session.id,
    transport,
    messages: session.messages,
    resume: session.isRunning,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish: onTurn,
    onError: error => isBlocking(error) && onBlocked(error),
  })
  const { messages, status, error } = chat
  const [isStopped, setStopped] = useState(false)
  const isBusy = status === 'submitted' || status === 'streaming'

  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [messages, status])

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <div className="messages" role="log" aria-label="Messages" aria-busy={isBusy} tabIndex={0}>
        {messages.length === 0 && !isBusy && (
          <div className="empty">
            <p>Ask a question, or attach a file.</p>
            {suggestions.map(text => (
              <button key={text} type="button" className="quiet" onClick={() => void chat.sendMessage({ text })}>
                {text}
              </button>
            ))}
          </div>
        )}
        {messages.map(message => (
          <Message
            key={message.id}
            client={client}
            message={message}
            onDecide={(id, approved) => void chat.addToolApprovalResponse({ id, approved })}
          />
        ))}
        {isStopped && !isBusy && <p className="faint">Stopped.</p>}
        {status === 'submitted' && <p role="status">Thinking…</p>}
        {error && !isBlocking(error) && <Failure error={error} onRetry={() => void chat.regenerate()} />}
        <div ref={end} />
      </div>
      <Composer
        client={client}
        isBusy={isBusy}
        onSend={(text, files) => {
          setStopped(false)
          void chat.sendMessage({ text, files })
        }}
        onStop={() => void transport.stop(session.id).then(() => setStopped(true), onBlocked)}
      />
    </>
  )
}
