import type { ReactNode } from 'react'
import { ErrorState, LoadingState } from './states.tsx'
import type { Pages } from './use-pages.ts'

/** Shows a list in pages: the wait, the error, what to do while it is empty, or its rows. */
export const PageStates = ({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<unknown>
  readonly empty: ReactNode
  readonly children: ReactNode
}) => {
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.refetch} />
  if (pages.isLoading) return <LoadingState />
  return pages.items.length === 0 && !pages.hasMore ? empty : children
}
