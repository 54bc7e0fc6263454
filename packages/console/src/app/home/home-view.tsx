import { Anchor, Badge, Button, Card, Group, SimpleGrid, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Did } from '../components/did.tsx'
import { Note } from '../components/note.tsx'
import { Page } from '../components/page.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import type { LoadedCapability } from '../session/access.ts'
import { useAccess, useConsole } from '../session/console-context.tsx'
import { useOracleRecord } from '../session/use-oracle-record.ts'

const Attention = lazy(() => import('../components/attention.tsx').then(({ Attention }) => ({ default: Attention })))

/** The first view: what to try, what the oracle can do, and where clients connect. */
export const HomeView = () => {
  const { t } = useTranslation('home')
  const { oracleName } = useConsole()
  const access = useAccess()
  return (
    <Page title={t('title', { oracle: oracleName })}>
      {access.may('operator/read') && (
        <Suspense>
          <Attention />
        </Suspense>
      )}
      {access.may('chat/send') && <Ask />}
      <Steps />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Capabilities capabilities={access.capabilities} />
        <Identity />
      </SimpleGrid>
    </Page>
  )
}

const Ask = () => {
  const { t } = useTranslation('home')
  const { has } = useAccess()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  // In the state of the history and not in the address: a link from elsewhere must not send messages.
  const ask = (message: string) => void navigate({ to: '/chat', state: { ask: message } as never })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') ask(text.trim())
  }
  const examples = [
    t('examples.capabilities'),
    ...(['weather', 'entities', 'tasks', 'memory'] as const).filter(has).map(plugin => t(`examples.${plugin}`)),
  ]
  return (
    <Card withBorder>
      <Stack gap="xs">
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              flex={1}
              label={t('ask')}
              placeholder={t('askPlaceholder')}
              value={text}
              maxLength={4_000}
              onChange={event => setText(event.currentTarget.value)}
            />
            <Button type="submit" leftSection={<SendHorizontal size={16} aria-hidden />}>
              {t('send')}
            </Button>
          </Group>
        </form>
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            {t('examples.label')}
          </Text>
          {examples.map(example => (
            <Button
              key={example}
              size="compact-xs"
              variant="light"
              maw="100%"
              h="auto"
              mih={22}
              py={2}
              lh={1.3}
              styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
              onClick={() => ask(example)}
            >
              {example}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  )
}

const Steps = () => {
  const { t } = useTranslation('home')
  const { base } = useConsole()
  const { may, has } = useAccess()
  const steps = [
    { key: 'chat', isShown: may('chat/send'), to: '/chat', command: 'npx sibyl chat' },
    { key: 'phone', isShown: has('ussd'), to: '/phone', command: 'npx sibyl ussd' },
    {
      key: 'twins',
      isShown: has('entities'),
      to: '/twins',
      command: 'npx sibyl chat --once "Register a CookStove called Stove A-17" --approve once',
    },
    { key: 'plugin', isShown: true, to: undefined, command: 'npx sibyl plugin new tides' },
    {
      key: 'connect',
      isShown: true,
      to: undefined,
      command: `npx sibyl mcp --url ${base.oracle.href.replace(/\/$/, '')}`,
    },
  ] as const
  return (
    <section>
      <Title order={2} mb="xs">
        {t('first')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        {steps
          .filter(({ isShown }) => isShown)
          .map(({ key, to, command }) => (
            <Card key={key} withBorder padding="sm">
              <Stack gap={6} h="100%" justify="space-between">
                <div>
                  {to === undefined ? (
                    <Text fw={600}>{t(`steps.${key}`)}</Text>
                  ) : (
                    <Anchor fw={600} renderRoot={props => <Link to={to} {...props} />}>
                      {t(`steps.${key}`)}
                    </Anchor>
                  )}
                  <Note>{t(`steps.${key}Text`)}</Note>
                </div>
                <CommandHint title={t('steps.command')} commands={[command]} />
              </Stack>
            </Card>
          ))}
      </SimpleGrid>
    </section>
  )
}

const colors = { ready: 'teal', pending: 'blue', degraded: 'orange', failed: 'red', excluded: 'gray' } as const

const Capabilities = ({ capabilities }: { readonly capabilities: readonly LoadedCapability[] }) => {
  const { t } = useTranslation('home')
  const on = capabilities.filter(({ state }) => state !== 'excluded')
  const off = capabilities.filter(({ state }) => state === 'excluded')
  return (
    <section>
      <Title order={2} mb="xs">
        {t('capabilities')}
      </Title>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {on.map(({ name, title, summary, state }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {summary}
                </Text>
              </Table.Td>
              <Table.Td w="6.5rem" ta="end">
                <Badge variant="dot" color={colors[state]} tt="none" fw={400}>
                  {t(`state.${state}`)}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {off.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('off')}: {off.map(({ title }) => title).join(', ')}
        </Text>
      )}
    </section>
  )
}

/** Endpoints that existing clients connect to, in the order shown. */
const clientEndpoints = ['openai', 'mcp-server', 'a2a', 'ag-ui', 'chat'] as const

const Identity = () => {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useOracleRecord()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <LoadingState />
  return (
    <section>
      <Title order={2} mb="xs">
        {t('identity')}
      </Title>
      <Table verticalSpacing={6} variant="vertical">
        <Table.Tbody>
          {data.did !== undefined && (
            <Table.Tr>
              <Table.Th w="8rem">{t('did')}</Table.Th>
              <Table.Td>
                <Did value={data.did} />
              </Table.Td>
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Th w="8rem">{t('publicDid')}</Table.Th>
            <Table.Td>
              <Did value={data.publicDid} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('access')}</Table.Th>
            <Table.Td>{t(data.access)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('version')}</Table.Th>
            <Table.Td>{data.version}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Title order={2} mt="md" mb="xs">
        {t('endpoints')}
      </Title>
      <Table verticalSpacing={4} variant="vertical">
        <Table.Tbody>
          {clientEndpoints.map(name => {
            const address = data.endpoints[name]
            return address === undefined ? null : (
              <Table.Tr key={name}>
                <Table.Th w="8rem">{name}</Table.Th>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <Text size="sm" ff="monospace">
                      {address}
                    </Text>
                    <CopyButton value={address} />
                  </Group>
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </section>
  )
}
