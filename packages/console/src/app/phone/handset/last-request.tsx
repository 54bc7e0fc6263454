import { Code, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { shellText } from '../../components/shell-text.ts'
import { useConsole } from '../../session/console-context.tsx'
import type { HandsetState } from './handset-state.ts'

/** The last request as the provider's gateway sends it, its response, and the command that dials the same. */
export const LastRequest = ({ state, provider }: { readonly state: HandsetState; readonly provider: string }) => {
  const { t } = useTranslation('phone')
  const { base } = useConsole()
  const last = state.exchange
  const { call } = state
  if (last === undefined || call === undefined) return null
  const { method, path, body } = last.request
  return (
    <Stack gap="sm">
      <Paper withBorder p="sm" component="section" aria-label={t('request.title')}>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            {t('request.title')}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {`${method} ${path}${body === undefined ? '' : `\n${body}`}`}
          </Code>
          <Text size="xs" c="dimmed">
            {t('request.response', { status: last.status })}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {last.body === '' ? t('request.empty') : last.body}
          </Code>
        </Stack>
      </Paper>
      <CommandHint commands={[commandOf(call, provider, base.oracle.href.replace(/\/$/, ''))]} />
    </Stack>
  )
}

const commandOf = (
  { serviceCode, phoneNumber, answers }: NonNullable<HandsetState['call']>,
  provider: string,
  url: string,
): string => {
  const words = [
    'npx',
    'sibyl',
    'ussd',
    shellText(serviceCode),
    '--phone',
    shellText(phoneNumber),
    '--url',
    shellText(url),
  ]
  if (provider !== 'plain') words.push('--provider', provider)
  words.push('--once', shellText(answers.join('*')))
  return words.join(' ')
}
