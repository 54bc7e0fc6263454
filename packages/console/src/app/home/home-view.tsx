import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../components/lazy-part.ts'
import { Page } from '../components/page.tsx'
import { useForDevelopers } from '../components/use-stored.ts'
import { useAccess, useConsole } from '../session/console-context.tsx'
import { hasOverview } from './has-overview.ts'
import { HomeSteps } from './home-steps.tsx'

const Attention = lazyPart(() => import('../components/attention.tsx'), 'Attention')
const Spending = lazyPart(() => import('./home-spending.tsx'), 'HomeSpending')
const FirstWork = lazyPart(() => import('./first-work.tsx'), 'FirstWork')
const Facts = lazyPart(() => import('./home-facts.tsx'), 'HomeFacts')

/** The first view: what fails, waits and costs for operators, the queue of evaluators, and the chat of other users. */
export const HomeView = () => {
  const [isForDevelopers] = useForDevelopers()
  return hasOverview(useAccess(), isForDevelopers) ? (
    <Overview />
  ) : (
    <Suspense>
      <FirstWork />
    </Suspense>
  )
}

const Overview = () => {
  const { t } = useTranslation('home')
  const { oracleName } = useConsole()
  const { may, has } = useAccess()
  const [isForDevelopers] = useForDevelopers()
  return (
    <Page title={t('title', { oracle: oracleName })}>
      {may('operator/read') && (
        <Suspense>
          <Attention />
          {has('credits') && <Spending />}
        </Suspense>
      )}
      {may('chat/send') && <Ask />}
      <HomeSteps />
      {(isForDevelopers || !may('operator/read')) && (
        <Suspense>
          <Facts />
        </Suspense>
      )}
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
    <Paper withBorder p="md">
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
    </Paper>
  )
}
