import { useInfiniteQuery } from '@tanstack/react-query'
import type { BodySchema, Query } from '../api/api-client.ts'
import { type Pages, pageSchema } from '../components/use-pages.ts'
import { itemsOf } from '../components/with-first-page.ts'
import { useApi } from '../session/console-context.tsx'

/** Entries of one page. */
const pageSize = 100

/** Reads a list whose next page is `after` the last entry of the previous one. */
export const useAfterPages = <Item>(
  path: string,
  name: string,
  {
    keyOf,
    schema,
    query = {},
  }: { readonly keyOf: (item: Item) => string; readonly schema: BodySchema<Item>; readonly query?: Query },
): Pages<Item> => {
  const api = useApi()
  const result = useInfiniteQuery({
    queryKey: [path, query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = await api.get(path, {
        schema: pageSchema(name, schema),
        query: { ...query, limit: pageSize, after: pageParam },
        signal,
      })
      return itemsOf<Item>(page, name)
    },
    refetchOnWindowFocus: false,
    getNextPageParam: items => {
      const last = items.at(-1)
      return items.length < pageSize || last === undefined ? undefined : keyOf(last)
    },
  })
  return {
    items: (result.data?.pages ?? []).flat(),
    first: undefined,
    isLoading: result.isPending,
    error: result.data === undefined ? result.error : null,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    moreError: result.isFetchNextPageError ? result.error : null,
    loadMore: () => void result.fetchNextPage(),
    refetch: () => void result.refetch(),
  }
}
