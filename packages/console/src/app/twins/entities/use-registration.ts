import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createPacedClient } from '../../api/paced-client.ts'
import { messageOf, Problem } from '../../api/problem.ts'
import { useApi } from '../../session/console-context.tsx'
import type { GoodRow } from './read-sheet-file.ts'

/** A row that the oracle rejected. */
export interface RejectedRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly reason: string
}

/** The registration of rows as far as it is. */
export interface Registration {
  readonly isRunning: boolean
  /** Rows that were answered. */
  readonly done: number
  readonly rejected: readonly RejectedRow[]
  /** When the pause ends that the oracle asked for, in milliseconds since 1970. */
  readonly waitsUntil?: number | undefined
  /** Why it ended early. */
  readonly error?: unknown
}

/** Time between two drawings, in milliseconds. */
const drawMs = 200
/** Errors of a row, which a later row may not have; any other ends the registration. */
const ofRow = new Set([400, 403, 409, 413, 422])

/** Registers rows one after another. The content of a row is its key, so that one that is sent twice is registered once. */
export const useRegistration = (rows: readonly GoodRow[]) => {
  const api = useApi()
  const queries = useQueryClient()
  const [state, setState] = useState<Registration>({ isRunning: false, done: 0, rejected: [] })
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const start = async () => {
    const stopper = new AbortController()
    stopping.current = stopper
    const { signal } = stopper
    let { done } = state
    const rejected = [...state.rejected]
    let drawnAt = 0
    const draw = (change: Partial<Registration> = {}) => {
      drawnAt = Date.now()
      setState(before => ({ ...before, done, rejected: [...rejected], ...change }))
    }
    const paced = createPacedClient(api, signal, waitsUntil => draw({ waitsUntil }))
    draw({ isRunning: true, error: undefined })
    try {
      for (const { row, cells, body } of rows.slice(done)) {
        const headers = { 'idempotency-key': await keyOf(body) }
        try {
          const response = await paced.send('POST', 'v1/entities', { body, headers })
          await response.body?.cancel()
        } catch (error) {
          const isOfRow = error instanceof Problem && ofRow.has(error.status) && error.code !== 'scope_missing'
          if (!isOfRow) throw error
          rejected.push({ row, cells, reason: reasonOf(error) })
        }
        done += 1
        if (Date.now() - drawnAt > drawMs) draw()
      }
      draw({ isRunning: false })
    } catch (error) {
      draw({ isRunning: false, waitsUntil: undefined, ...(!signal.aborted && { error }) })
    }
    await queries.invalidateQueries({ queryKey: ['v1/entities'] })
  }
  return { state, start, stop: () => stopping.current?.abort() }
}

const reasonOf = (problem: Problem): string =>
  problem.issues.length === 0
    ? messageOf(problem)
    : problem.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path}: ${message}`)
        .join(' ')

const keyOf = async (body: unknown): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)))
  return `import-${[...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}
