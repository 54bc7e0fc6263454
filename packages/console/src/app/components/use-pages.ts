import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BodySchema, Query } from '../api/api-client.ts'
import { withMembers } from '../api/with-members.ts'
import { useApi } from '../session/console-context.tsx'
import { itemsOf, type ListPage, withFirstPage } from './with-first-page.ts'

/** A list that the oracle returns in pages, as far as it is loaded. */
export interface Pages<Item> {
  readonly items: readonly Item[]
  /** The first page, with its members besides the items. */
  readonly first: ListPage | undefined
  readonly isLoading: boolean
  /** The reason why nothing could be loaded. */
  readonly error: unknown
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** The reason why the next page could not be loaded. */
  readonly moreError: unknown
  readonly loadMore: () => void
  readonly refetch: () => void
}

/** Options of a list in pages. */
export interface PagesOptions<Item> {
  readonly enabled?: boolean
  /** Sent instead of a query: what must not be in a URL, which proxies log. */
  readonly body?: Query
  /** Time between two reads of the first page, in milliseconds. */
  readonly refetchInterval?: number
  /** Returns what identifies an item. @default its `id` */
  readonly itemKey?: (item: Item) => string
  readonly schema: BodySchema<Item>
}

/** Begins the key of the query that reads the first page of a list again. */
export const firstPageKey = 'first page'

/**
 * Reads a list in pages: `{ [name]: Item[], next? }`, where `next` is the `cursor` of the next page.
 *
 * All loaded pages are read again when the list is invalidated. An interval, a return to the tab and a return to the view read
 * the first page alone: the oracle limits the requests of a user, and a long list can have hundreds of pages.
 *
 * @param name Member of the response with the items.
 */
export const usePages = <Item>(
  path: string,
  name: string,
  query: Query,
  { enabled = true, body, refetchInterval, itemKey = idOf, schema }: PagesOptions<Item>,
): Pages<Item> => {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = [path, body ?? query]
  const read = (cursor: string | undefined, signal: AbortSignal) =>
    body === undefined
      ? api.get(path, { schema: pageSchema(name, schema), query: { ...query, cursor }, signal })
      : api.post(path, { schema: pageSchema(name, schema), body: { ...body, cursor }, signal })
  const result = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: page => page.next,
    enabled,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: ({ state }) => state.isInvalidated || state.data === undefined,
  })
  useQuery({
    queryKey: [firstPageKey, ...queryKey],
    queryFn: async ({ signal }) => {
      const fresh = await read(undefined, signal)
      queries.setQueryData<InfiniteData<ListPage, string | undefined>>(
        queryKey,
        data => data && withFirstPage(data, fresh, name, itemKey as (item: unknown) => string),
      )
      return null
    },
    initialData: null,
    // Zero until the list is read for the first time, which reads its first page.
    initialDataUpdatedAt: () => queries.getQueryState(queryKey)?.dataUpdatedAt || Date.now(),
    enabled: enabled && result.isSuccess,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  })
  return {
    items: (result.data?.pages ?? []).flatMap(page => itemsOf<Item>(page, name)),
    first: result.data?.pages[0],
    isLoading: result.isPending && result.fetchStatus !== 'idle',
    error: result.data === undefined ? result.error : null,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    moreError: result.isFetchNextPageError ? result.error : null,
    loadMore: () => void result.fetchNextPage(),
    refetch: () => void result.refetch(),
  }
}

export const pageSchema = <Item>(name: string, schema: BodySchema<Item>): BodySchema<ListPage> => ({
  parse(body) {
    const page = withMembers<ListPage>({ [name]: 'array' }).parse(body)
    return { ...page, [name]: itemsOf(page, name).map(item => schema.parse(item)) }
  },
})

const idOf = (item: unknown): string => {
  const { id } = item as { readonly id?: unknown }
  return typeof id === 'string' ? id : JSON.stringify(item)
}
