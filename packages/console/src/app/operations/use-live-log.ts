import { useDocumentVisibility } from '@mantine/hooks'
import { type LogLineRecord, logLineRecord } from '@sibyl/operations/records'
import { useEffect, useRef, useState } from 'react'
import type { ApiClient } from '../api/api-client.ts'
import { withMembers } from '../api/with-members.ts'
import { useApi } from '../session/console-context.tsx'
import { readEventStream } from './read-event-stream.ts'

/** A line, or a mark where lines are missing. */
export type LogEntry =
  | { readonly key: number; readonly line: LogLineRecord }
  | { readonly key: number; readonly missed: number | 'restart' }

/** Filters of `GET /operator/log`. */
export interface LogFilters {
  readonly level: string
  readonly plugin?: string
  readonly text: string
}

const gap = withMembers<{ readonly missed: number }>({ missed: 'number' })

/** The last line that was read, and the number of the last entry. */
interface Position {
  lastId: string | undefined
  key: number
}

/** Most lines in memory. */
const maxLines = 5_000
/** Pause before another connection, in milliseconds. */
const pauseMs = 2_000

/**
 * Follows the log while the tab is visible. Lines that arrive while it is paused are added when it continues; the oracle
 * keeps the latest ones.
 */
export const useLiveLog = ({ level, plugin, text }: LogFilters, isPaused: boolean) => {
  const api = useApi()
  const [entries, setEntries] = useState<readonly LogEntry[]>([])
  const [error, setError] = useState<unknown>()
  const [isConnected, setConnected] = useState(false)
  const position = useRef<Position>({ lastId: undefined, key: 0 })
  const isVisible = useDocumentVisibility() === 'visible'
  useEffect(() => {
    position.current = { ...position.current, lastId: undefined }
    setEntries([])
  }, [level, plugin, text])
  useEffect(() => {
    if (isPaused || !isVisible) return undefined
    const leaving = new AbortController()
    void follow({
      api,
      filters: { level, plugin, text },
      position,
      signal: leaving.signal,
      onConnected: setConnected,
      onError: setError,
      onEntries: added => setEntries(known => [...known, ...added].slice(-maxLines)),
    })
    return () => leaving.abort()
  }, [api, level, plugin, text, isPaused, isVisible])
  return { entries, error, isConnected, clear: () => setEntries([]) }
}

const follow = async (parts: {
  readonly api: ApiClient
  readonly filters: { readonly level: string; readonly plugin: string | undefined; readonly text: string }
  readonly position: { readonly current: Position }
  readonly signal: AbortSignal
  readonly onConnected: (isConnected: boolean) => void
  readonly onError: (error: unknown) => void
  readonly onEntries: (entries: readonly LogEntry[]) => void
}): Promise<void> => {
  const { api, filters, position, signal, onConnected, onError, onEntries } = parts
  while (!signal.aborted) {
    try {
      const response = await api.send('GET', '/operator/log', {
        query: filters,
        headers: position.current.lastId === undefined ? {} : { 'last-event-id': position.current.lastId },
        signal,
      })
      onError(undefined)
      onConnected(true)
      let waiting: LogEntry[] = []
      // Lines that arrive together are drawn together.
      const flush = () => {
        const batch = waiting
        waiting = []
        if (batch.length > 0 && !signal.aborted) onEntries(batch)
      }
      for await (const { event, id, data } of readEventStream(response)) {
        if (waiting.length === 0) requestAnimationFrame(flush)
        if (signal.aborted) return
        const { current } = position
        current.lastId = id ?? current.lastId
        current.key += 1
        const value: unknown = JSON.parse(data)
        if (event === undefined) waiting.push({ key: current.key, line: logLineRecord.parse(value) })
        else waiting.push({ key: current.key, missed: event === 'gap' ? gap.parse(value).missed : 'restart' })
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    onConnected(false)
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
