import { useCallback, useEffect, useState } from 'react'
import { Chats } from './chats.tsx'
import { type Connection, connect } from './connection.ts'
import { Failure } from './failure.tsx'

/** The page: connects first, then shows the conversations. */
export const App = () => {
  const [connection, setConnection] = useState<Connection>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const open = useCallback(() => {
    setFailure(undefined)
    setConnection(undefined)
    connect().then(setConnection, error => setFailure({ error }))
  }, [])
  useEffect(open, [open])
  useEffect(() => {
    document.title = connection?.name ?? 'Chat'
  }, [connection])

  if (failure) {
    return (
      <main className="alone">
        <h1>Chat</h1>
        <Failure error={failure.error} onRetry={open} />
      </main>
    )
  }
  if (!connection) {
    return (
      <main className="alone">
        <h1>Chat</h1>
        <p role="status">Connecting…</p>
      </main>
    )
  }
  return <Chats key={connection.did} connection={connection} onReconnect={open} />
}
