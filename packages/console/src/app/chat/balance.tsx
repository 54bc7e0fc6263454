import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { withMembers } from '../api/with-members.ts'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

const account = withMembers<{ readonly mode: string; readonly balance: string }>({ mode: 'string', balance: 'string' })

/** The credit of the user, read again after each answer. */
export const Balance = ({ isBusy }: { readonly isBusy: boolean }) => {
  const { t } = useTranslation('chat')
  const { credits } = useFormat()
  const api = useApi()
  const { may, has } = useAccess()
  const { data } = useQuery({
    queryKey: ['/credits', isBusy],
    queryFn: ({ signal }) => api.get('/credits', { schema: account, signal }),
    enabled: !isBusy && has('credits') && may('credits/read'),
    placeholderData: before => before,
  })
  if (data?.mode !== 'prepaid') return null
  const balance = Number(data.balance)
  return (
    <Text size="xs" c="dimmed" role="status">
      {t('composer.balance', { count: balance, value: credits(balance) })}
    </Text>
  )
}
