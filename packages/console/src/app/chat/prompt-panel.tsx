import { Accordion, Badge, Box, Group, Paper, Stack, Text } from '@mantine/core'
import { type PromptMessage, type SessionPrompt, sessionPromptRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { CommandHint } from '../components/command-hint.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { curl } from '../components/curl.ts'
import { JsonView } from '../components/json-view.tsx'
import { Note } from '../components/note.tsx'
import { EmptyState, ErrorState, LoadingState, NotAllowedState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'

/** The most messages that are drawn; the latest ones. */
const maxMessages = 60

/** The model request of a message: system prompt, messages and tools, with their tokens. */
export const PromptPanel = ({
  sessionId,
  messageId,
}: {
  readonly sessionId: string
  readonly messageId: string | undefined
}) => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const isAllowed = useAccess().may('session/inspect')
  const path = `/sessions/${encodeURIComponent(sessionId)}/prompt`
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', sessionId, 'prompt', messageId],
    queryFn: ({ signal }) => api.get(path, { schema: sessionPromptRecord, query: { message: messageId }, signal }),
    enabled: isAllowed,
  })
  if (!isAllowed) return <NotAllowedState ability="session/inspect" />
  if (error instanceof Problem && error.code === 'prompt_not_found') {
    return <EmptyState title={t('prompt.empty')}>{t('prompt.emptyRemedy')}</EmptyState>
  }
  if (error instanceof Problem && error.code === 'prompt_inspection_off') {
    return <EmptyState title={t('prompt.off')}>{t('prompt.offRemedy')}</EmptyState>
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <Prompt prompt={data} path={path} /> : <LoadingState />
}

const Prompt = ({ prompt, path }: { readonly prompt: SessionPrompt; readonly path: string }) => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const { system, systemTokens, messages, messageTokens, omittedMessages, tools, toolTokens, model } = prompt
  const shown = messages.slice(-maxMessages)
  const all = systemTokens + messageTokens + toolTokens
  return (
    <Stack gap="sm">
      <Note>{t('prompt.note')}</Note>
      <Group gap="xs">
        <Badge variant="light" tt="none">
          {model}
        </Badge>
        <Text size="sm">{t('prompt.total', { count: all })}</Text>
      </Group>
      <Shares
        shares={[
          [t('prompt.system'), systemTokens],
          [t('prompt.messages'), messageTokens],
          [t('prompt.tools'), toolTokens],
        ]}
      />
      <Accordion multiple defaultValue={['system', 'messages']} variant="contained" order={2}>
        <Accordion.Item value="system">
          <Accordion.Control>
            <Title label={t('prompt.system')} tokens={systemTokens} />
          </Accordion.Control>
          <Accordion.Panel>
            <TextBlock text={system} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="messages">
          <Accordion.Control>
            <Title label={t('prompt.messagesCount', { count: messages.length })} tokens={messageTokens} />
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              {omittedMessages > 0 && (
                <Text size="xs" c="dimmed">
                  {t('prompt.omitted', { count: omittedMessages })}
                </Text>
              )}
              {messages.length > shown.length && (
                <Text size="xs" c="dimmed">
                  {t('prompt.latest', { count: shown.length })}
                </Text>
              )}
              {shown.map((message, index) => (
                <Message key={index} message={message} />
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="tools">
          <Accordion.Control>
            <Title label={t('prompt.toolsCount', { count: tools.length })} tokens={toolTokens} />
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              {tools.map(tool => (
                <Paper key={tool.name} withBorder p="xs" component="details">
                  <Box component="summary">
                    <Text span size="sm" ff="monospace">
                      {tool.name}
                    </Text>{' '}
                    <Text span size="xs" c="dimmed">
                      {tool.owner} · {t('tokens', { count: tool.tokens })}
                    </Text>
                  </Box>
                  <Stack gap="xs" mt="xs">
                    <Text size="sm">{tool.description}</Text>
                    <JsonView value={tool.inputSchema} maxHeight={220} />
                  </Stack>
                </Paper>
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <CommandHint title={t('same')} commands={[curl('GET', api.url(path))]} />
    </Stack>
  )
}

const Title = ({ label, tokens }: { readonly label: string; readonly tokens: number }) => {
  const { t } = useTranslation('chat')
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" pr="xs">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {t('tokens', { count: tokens })}
      </Text>
    </Group>
  )
}

const colors = ['var(--mantine-color-brand-6)', 'var(--mantine-color-indigo-5)', 'var(--mantine-color-orange-5)']

/** Shares of a whole as one bar. The same numbers are beside it as text. */
const Shares = ({ shares }: { readonly shares: readonly (readonly [label: string, value: number])[] }) => (
  <Group gap={2} h={8} wrap="nowrap" aria-hidden>
    {shares.map(([label, value], index) =>
      value === 0 ? null : (
        <Box
          key={label}
          title={label}
          h="100%"
          miw={2}
          style={{ flexGrow: value, background: colors[index], borderRadius: 2 }}
        />
      ),
    )}
  </Group>
)

const Message = ({ message }: { readonly message: PromptMessage }) => {
  const { t } = useTranslation('chat')
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" mb={4}>
        <Badge size="sm" variant="light" color={message.role === 'user' ? 'brand' : 'gray'} tt="none">
          {t(`prompt.role.${message.role}`)}
        </Badge>
        <Text size="xs" c="dimmed">
          {t('tokens', { count: message.tokens })}
        </Text>
      </Group>
      <Stack gap={6}>
        {message.parts.map((part, index) => (
          <div key={index}>
            {part.type !== 'text' && (
              <Text size="xs" c="dimmed">
                {t(`prompt.part.${part.type}`)}
                {part.tool === undefined ? '' : `: ${part.tool}`}
              </Text>
            )}
            <TextBlock text={part.text} isTruncated={part.isTruncated ?? false} />
          </div>
        ))}
      </Stack>
    </Paper>
  )
}

const TextBlock = ({ text, isTruncated = false }: { readonly text: string; readonly isTruncated?: boolean }) => {
  const { t } = useTranslation('chat')
  return (
    <Group align="flex-start" gap={4} wrap="nowrap">
      <Box flex={1} miw={0} mah={260} tabIndex={0} style={{ overflow: 'auto' }}>
        <Text size="xs" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
        {isTruncated && (
          <Text size="xs" c="dimmed">
            {t('prompt.truncated')}
          </Text>
        )}
      </Box>
      <CopyButton value={text} />
    </Group>
  )
}
