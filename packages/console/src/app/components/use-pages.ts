import { useInfiniteQuery } from '@tanstack/react-query'
import type { Query } from '../api/api-client.ts'
import { useApi } from '../session/console-context.tsx'

/** A list that the oracle returns in pages, as far as it is loaded. */
export interface Pages<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly error: unknown
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly refetch: () => void
}

/**
 * Reads a list in pages: `{ [name]: Item[], next? }`, where `next` is the `cursor` of the next page.
 *
 * @param name Member of the response with the items.
 */
export const usePages = <Item>(
  path: string,
  name: string,
  query: Query = {},
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
): Pages<Item> => {
  const api = useApi()
  const result = useInfiniteQuery({
    queryKey: [path, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<Record<string, unknown>>(path, { query: { ...query, cursor: pageParam }, signal }),
    getNextPageParam: page => (typeof page.next === 'string' ? page.next : undefined),
    ...options,
  })
  return {
    items: (result.data?.pages ?? []).flatMap(page => (page[name] ?? []) as Item[]),
    isLoading: result.isPending && result.fetchStatus !== 'idle',
    error: result.error,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void result.fetchNextPage(),
    refetch: () => void result.refetch(),
  }
}
