import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

/** A button that retries all deliveries of an outbox that were given up. */
export const RetryDeliveries = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.post('/operator/outboxes/retry', { schema: z.object({ retried: z.int() }), body: { name } }),
    onSuccess: ({ retried }) => notify.done(t('outboxes.retried', { count: retried })),
    onError: error => notify.failed(error),
    onSettled: () =>
      Promise.all([['operator'], ['/sms/outbox']].map(queryKey => queries.invalidateQueries({ queryKey }))),
  })
  if (!may('operator/write')) return null
  return (
    <Button size="compact-xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('outboxes.retry')}
    </Button>
  )
}
