import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Text, Textarea, TextInput, Tooltip } from '@mantine/core'
import { type ComparedAnswer, type ComparedVariant, comparedAnswer } from '@sibyl/operations/records'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../components/command-hint.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { curl } from '../components/curl.ts'
import { Page } from '../components/page.tsx'
import { EmptyState, ErrorState, NotAllowedState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Markdown } from './markdown.tsx'

/** The most variants of a comparison. */
const maxVariants = 4

interface Variant {
  readonly key: number
  readonly model: string
  readonly instructions: string
}

/** One message, answered by several models or with several system prompts, side by side. */
export const CompareView = () => {
  const { t } = useTranslation('chat')
  const isAllowed = useAccess().may('operator/write')
  return (
    <Page
      title={t('compare.title')}
      description={t('compare.description')}
      actions={
        <Button size="xs" variant="default" renderRoot={props => <Link to="/chat" {...props} />}>
          {t('compare.back')}
        </Button>
      }
    >
      {isAllowed ? <Comparison /> : <NotAllowedState ability="operator/write" />}
    </Page>
  )
}

const Comparison = () => {
  const { t } = useTranslation('chat')
  const api = useApi()
  const [message, setMessage] = useState('')
  const [variants, setVariants] = useState<readonly Variant[]>([variantOf(0), variantOf(1)])
  const body = { message: message.trim(), variants: variants.map(sentVariant) }
  const run = useMutation({
    mutationFn: () => api.post('/operator/compare', { schema: z.object({ answers: z.array(comparedAnswer) }), body }),
  })
  const change = (key: number, more: Partial<Variant>) =>
    setVariants(variants.map(variant => (variant.key === key ? { ...variant, ...more } : variant)))
  return (
    <Stack gap="md">
      <Textarea
        label={t('compare.message')}
        value={message}
        onChange={event => setMessage(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={32_000}
      />
      <SimpleGrid cols={{ base: 1, sm: 2, xl: Math.max(2, variants.length) }} spacing="md">
        {variants.map(({ key, model, instructions }, place) => (
          <Paper
            key={key}
            withBorder
            p="sm"
            component="section"
            aria-label={t('compare.variant', { number: place + 1 })}
          >
            <Stack gap="xs">
              <Group justify="space-between">
                <Text component="h2" size="sm" fw={600}>
                  {t('compare.variant', { number: place + 1 })}
                </Text>
                {variants.length > 1 && (
                  <Tooltip label={t('compare.remove', { number: place + 1 })}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="sm"
                      aria-label={t('compare.remove', { number: place + 1 })}
                      onClick={() => setVariants(variants.filter(variant => variant.key !== key))}
                    >
                      <X size={14} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                )}
              </Group>
              <TextInput
                size="xs"
                label={t('compare.model')}
                description={t('compare.modelNote')}
                value={model}
                onChange={event => change(key, { model: event.currentTarget.value })}
                maxLength={200}
              />
              <Textarea
                size="xs"
                label={t('compare.instructions')}
                description={t('compare.instructionsNote')}
                value={instructions}
                onChange={event => change(key, { instructions: event.currentTarget.value })}
                autosize
                minRows={2}
                maxRows={10}
                maxLength={32_000}
              />
              <Answer answer={run.data?.answers[place]} isRunning={run.isPending} />
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
      {run.error && <ErrorState error={run.error} onRetry={() => run.mutate()} />}
      <Group gap="xs">
        <Button loading={run.isPending} disabled={body.message === ''} onClick={() => run.mutate()}>
          {t('compare.run')}
        </Button>
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={variants.length >= maxVariants}
          onClick={() => setVariants([...variants, variantOf(Math.max(...variants.map(({ key }) => key)) + 1)])}
        >
          {t('compare.add')}
        </Button>
      </Group>
      {run.data === undefined && !run.isPending && (
        <EmptyState title={t('compare.empty')}>{t('compare.emptyRemedy')}</EmptyState>
      )}
      <CommandHint title={t('same')} commands={[curl('POST', api.url('/operator/compare'), body)]} />
    </Stack>
  )
}

const Answer = ({
  answer,
  isRunning,
}: {
  readonly answer: ComparedAnswer | undefined
  readonly isRunning: boolean
}) => {
  const { t } = useTranslation('chat')
  const { duration } = useFormat()
  if (isRunning) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('conversation.waiting')}
      </Text>
    )
  }
  if (!answer) return null
  const { model, text, usage, durationMs, firstPartMs, error } = answer
  return (
    <Stack gap={4} component="article" aria-label={t('message.answer')}>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error.text}{' '}
          <Text span size="xs" ff="monospace">
            {error.code}
          </Text>
        </Text>
      )}
      {text !== '' && <Markdown text={text} />}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {[
            model,
            duration(durationMs),
            ...(firstPartMs === undefined ? [] : [t('timing.first', { time: duration(firstPartMs) })]),
            t('message.tokens', { count: usage.inputTokens + usage.outputTokens }),
          ].join(' · ')}
        </Text>
        {text !== '' && <CopyButton value={text} label={t('message.copy')} />}
      </Group>
    </Stack>
  )
}

const variantOf = (key: number): Variant => ({ key, model: '', instructions: '' })

const sentVariant = ({ model, instructions }: Variant): ComparedVariant => ({
  ...(model.trim() === '' ? {} : { model: model.trim() }),
  ...(instructions.trim() === '' ? {} : { instructions }),
})
