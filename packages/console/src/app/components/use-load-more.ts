import { useEffect } from 'react'
import type { Pages } from './use-pages.ts'

/** Loads the next page when the end of the loaded items is near, unless the last attempt failed. */
export const useLoadMore = ({ hasMore, isLoadingMore, moreError, loadMore }: MorePages, isNearEnd: boolean): void => {
  const isWanted = isNearEnd && hasMore && !isLoadingMore && !moreError
  useEffect(() => {
    if (isWanted) loadMore()
  }, [isWanted, loadMore])
}

/** The part of a list in pages that loads the next one. */
export type MorePages = Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'moreError' | 'loadMore'>
