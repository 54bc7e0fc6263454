import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type ThreadMessage, threadMessage } from '@sibyl/plugin-sms/records'
import { useMutation } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { CommandHint } from '../../components/command-hint.tsx'
import { operatorCurl } from '../../components/curl.ts'
import { PageStates } from '../../components/page-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { EmptyState, NotAllowedState } from '../../components/states.tsx'
import { type Pages, usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { isPhoneNumber } from '../handset/handset-options.tsx'
import classes from './sms-thread.module.css'

/** Time between two reads of the messages, in milliseconds, while the tab is visible. */
const intervalMs = 4_000

/** The SMS of a phone, newest last, and an input that writes as the phone. */
export const SmsThread = ({ phone }: { readonly phone: string }) => {
  const { t } = useTranslation('phone')
  const api = useApi()
  const access = useAccess()
  const mayRead = access.may('operator/read')
  const isPhone = isPhoneNumber(phone)
  const pages = usePages(
    '/sms/thread',
    'messages',
    {},
    { schema: threadMessage, body: { phone }, enabled: mayRead && isPhone, refetchInterval: intervalMs },
  )
  return (
    <Paper withBorder p="md" component="section" aria-label={t('sms.title')}>
      <Stack gap="sm">
        <Text fw={600} size="sm">
          {t('sms.title')}
        </Text>
        {mayRead ? (
          <>
            <PageStates
              pages={pages}
              empty={
                <EmptyState icon={<MessageSquare size={24} aria-hidden />} title={t('sms.empty')}>
                  {t('sms.emptyHint')}
                </EmptyState>
              }
            >
              <Messages pages={pages} />
            </PageStates>
            {access.may('operator/write') && isPhone && <WriteSms phone={phone} onSent={pages.refetch} />}
            <CommandHint commands={[operatorCurl('POST', api.url('sms/thread'), { phone })]} />
          </>
        ) : (
          <NotAllowedState ability="operator/read" />
        )}
      </Stack>
    </Paper>
  )
}

const Messages = ({ pages }: { readonly pages: Pages<ThreadMessage> }) => {
  const { t } = useTranslation('phone')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section className={classes.messages} tabIndex={0} aria-label={t('sms.list')}>
      <ol className={classes.list}>
        {pages.items.toReversed().map(message => (
          <li key={message.id} className={message.direction === 'from' ? classes.from : classes.to}>
            <Text size="sm" className={classes.text ?? ''} dir="auto">
              {message.text?.replace(/\p{Bidi_Control}/gu, '') ?? t('sms.hidden')}
            </Text>
            <Text size="xs" c="dimmed">
              {message.direction === 'from' ? t('sms.fromPhone') : t('sms.toPhone')} ·{' '}
              <RelativeTime value={message.at} /> · {message.state}
              {message.parts === undefined ? '' : ` · ${t('sms.parts', { count: message.parts })}`}
              {message.reason === undefined ? '' : ` · ${message.reason}`}
            </Text>
          </li>
        ))}
      </ol>
      {pages.hasMore && (
        <Group justify="center">
          <Button size="compact-xs" variant="subtle" loading={pages.isLoadingMore} onClick={pages.loadMore}>
            {t('sms.older')}
          </Button>
        </Group>
      )}
    </section>
  )
}

const WriteSms = ({ phone, onSent }: { readonly phone: string; readonly onSent: () => void }) => {
  const { t } = useTranslation('phone')
  const api = useApi()
  const [text, setText] = useState('')
  const sending = useMutation({
    mutationFn: () => api.post('/sms/inbound/embedded', { body: { from: phone, text, id: crypto.randomUUID() } }),
    onSuccess: () => {
      setText('')
      onSent()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !sending.isPending) sending.mutate()
  }
  const failure =
    sending.error === null
      ? undefined
      : sending.error instanceof Problem && sending.error.status === 404
        ? t('sms.notEmbedded')
        : sending.error.message
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('sms.write')}
          value={text}
          maxLength={1_600}
          autoComplete="off"
          onChange={event => setText(event.currentTarget.value)}
          error={failure}
        />
        <Button type="submit" variant="default" loading={sending.isPending} disabled={text.trim() === ''}>
          {t('sms.send')}
        </Button>
      </Group>
    </form>
  )
}
