import { Group, Progress, Stack, Text } from '@mantine/core'
import { usageRecord } from '@sibyl/core/records'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readBody } from '../api/api-client.ts'
import { readRateLimit } from '../api/rate-limit.ts'
import { Note } from '../components/note.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { useFormat } from '../components/use-format.ts'
import { useApi } from '../session/console-context.tsx'

/** Tokens of today, and the requests that are left in this minute. */
export const UsageSection = () => {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['/usage'],
    queryFn: async ({ signal }) => {
      const response = await api.send('GET', '/usage', { signal })
      return {
        usage: readBody(response, await response.json(), usageRecord),
        rate: readRateLimit(response.headers, 'did'),
      }
    },
  })
  if (!data) return null
  const { usage, rate } = data
  const share = usage.budget === undefined ? 0 : Math.min(100, (usage.tokens / usage.budget) * 100)
  return (
    <Section title={t('usage.title')}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            {usage.budget === undefined
              ? t('usage.tokens', { tokens: number(usage.tokens) })
              : t('usage.tokensOf', { tokens: number(usage.tokens), budget: number(usage.budget) })}
          </Text>
          <Note>
            {t('usage.resets')} <RelativeTime value={usage.resetsAt} />
          </Note>
        </Group>
        {usage.budget !== undefined && (
          <Progress value={share} color={share > 90 ? 'red' : 'brand'} aria-label={t('usage.title')} />
        )}
        {rate !== undefined && (
          <Note>{t('usage.requests', { limit: number(rate.limit), left: number(rate.left) })}</Note>
        )}
      </Stack>
    </Section>
  )
}
