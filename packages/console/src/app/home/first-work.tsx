import { Navigate } from '@tanstack/react-router'
import { LoadingState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useAccess } from '../session/console-context.tsx'
import { mayEvaluate } from './has-overview.ts'

/** Opens the queue of an evaluator for whom claims wait, otherwise the chat. */
export const FirstWork = () => {
  const access = useAccess()
  const evaluates = mayEvaluate(access)
  const claims = usePages(
    'v1/claims',
    'claims',
    { order: 'oldest', deciding: 'true', limit: 1 },
    { schema: { parse: (claim: unknown) => claim }, enabled: evaluates, itemKey: () => '' },
  )
  if (claims.isLoading) return <LoadingState />
  return <Navigate to={claims.items.length > 0 || !access.may('chat/send') ? '/twins/claims' : '/chat'} replace />
}
