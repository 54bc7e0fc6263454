import type { UIMessage } from 'ai'
import { useCallback, useEffect, useState } from 'react'
import type { Connection } from './connection.ts'
import { Conversation } from './conversation.tsx'
import { Failure, isBlocking } from './failure.tsx'

type SessionSummary = Awaited<ReturnType<Connection['client']['sessions']['list']>>[number]

interface OpenSession {
  readonly id: string
  readonly messages: UIMessage[]
  readonly isRunning: boolean
}

const newId = (): string => crypto.randomUUID()
const idInAddress = (): string => location.hash.slice(1)

/** The list of conversations, and the one that is open; its id is in the address. */
export const Chats = ({ connection, onReconnect }: { connection: Connection; onReconnect: () => void }) => {
  const { client, did, name } = connection
  const [sessions, setSessions] = useState<SessionSummary[]>()
  const [session, setSession] = useState<OpenSession>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const [isListOpen, setListOpen] = useState(false)
  const fail = useCallback((error: unknown) => setFailure({ error }), [])

  const list = useCallback(() => {
    client.sessions.list().then(setSessions, fail)
  }, [client, fail])

  const open = useCallback(
    async (id: string) => {
      setFailure(undefined)
      setListOpen(false)
      if (!id) return setSession({ id: newId(), messages: [], isRunning: false })
      try {
        const { messages, runningTurn } = await client.sessions.get(id)
        setSession({ id, messages: messages as UIMessage[], isRunning: runningTurn !== undefined })
      } catch (error) {
        // A new conversation is unknown until its first message.
        if ((error as { code?: string }).code !== 'session_not_found') return fail(error)
        setSession({ id, messages: [], isRunning: false })
      }
    },
    [client, fail],
  )

  useEffect(() => {
    const follow = () => void open(idInAddress())
    follow()
    list()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [open, list])

  const startNew = () => {
    if (idInAddress()) location.hash = ''
    else void open('')
  }
  const remove = async (id: string) => {
    try {
      await client.sessions.delete(id)
      if (session?.id === id) startNew()
      list()
    } catch (error) {
      fail(error)
    }
  }

  const isBlocked = failure !== undefined && isBlocking(failure.error)
  return (
    <div className="page">
      <header>
        <h1>{name}</h1>
        <button
          type="button"
          className="quiet narrow"
          aria-expanded={isListOpen}
          onClick={() => setListOpen(!isListOpen)}
        >
          Conversations
        </button>
      </header>
      <nav aria-label="Conversations" className={isListOpen ? 'open' : ''}>
        <button type="button" onClick={startNew}>
          New conversation
        </button>
        {sessions?.length === 0 && <p className="faint">None yet.</p>}
        <ul>
          {sessions?.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === session?.id ? 'page' : undefined}>
                {title || 'Untitled'}
              </a>
              <button type="button" className="quiet" aria-label={`Delete ${title}`} onClick={() => void remove(id)}>
                ×
              </button>
            </li>
          ))}
        </ul>
        <p className="faint did" title={did}>
          You are <code>{did}</code>
        </p>
      </nav>
      <main>
        {failure && <Failure error={failure.error} did={did} onRetry={onReconnect} />}
        {!isBlocked && session && (
          <Conversation
            key={session.id}
            client={client}
            session={session}
            onTurn={() => {
              history.replaceState(null, '', `#${session.id}`)
              list()
            }}
            onBlocked={fail}
          />
        )}
      </main>
    </div>
  )
}
