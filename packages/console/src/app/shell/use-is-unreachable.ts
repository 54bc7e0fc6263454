import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { Problem } from '../api/problem.ts'

/** Returns whether the last request of any query that a view shows had no response. */
export const useIsUnreachable = (): boolean => {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () =>
    cache
      .getAll()
      .some(query => query.isActive() && [query.state.error, query.state.fetchFailureReason].some(isUnreachable)),
  )
}

const isUnreachable = (error: unknown): boolean => error instanceof Problem && error.code === 'unreachable'
