import { Anchor, Group, Paper, Text } from '@mantine/core'
import type { SpendingRecord } from '@sibyl/plugin-credits/records'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { withMembers } from '../api/with-members.ts'
import { useFormat } from '../components/use-format.ts'
import { useApi } from '../session/console-context.tsx'

const spending = withMembers<SpendingRecord>({ rows: 'array' })

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The credits that all users spent today and in the last seven days, for operators. */
export const HomeSpending = () => {
  const { t } = useTranslation('home')
  const api = useApi()
  const { credits } = useFormat()
  const { data } = useQuery({
    queryKey: ['/credits/spending', 'home'],
    queryFn: ({ signal }) =>
      api.get('/credits/spending', { schema: spending, query: { by: 'day', from: dayAgo(6) }, signal }),
  })
  // Shown before the sums are known, so that what follows does not move.
  const sumSince = (day: string) =>
    data ? credits(data.rows.reduce((sum, row) => (row.name >= day ? sum + Number(row.credits) : sum), 0)) : '…'
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('spending.title')}>
      <Group gap="md">
        <Text size="sm" fw={600}>
          {t('spending.title')}
        </Text>
        <Text size="sm">{t('spending.today', { credits: sumSince(dayAgo(0)) })}</Text>
        <Text size="sm">{t('spending.week', { credits: sumSince(dayAgo(6)) })}</Text>
        <Anchor size="sm" underline="always" renderRoot={props => <Link to="/operations/credits" {...props} />}>
          {t('spending.show')}
        </Anchor>
      </Group>
    </Paper>
  )
}
