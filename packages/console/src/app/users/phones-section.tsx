import { Button, Group, Text, TextInput } from '@mantine/core'
import { type LinkedPhoneRecord, linkedPhone } from '@sibyl/plugin-sms/records'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ActionForm } from '../components/action-form.tsx'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'

/** The phones that the user linked, and a form that links one by a code. */
export const PhonesSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const mayLink = useAccess().may('sms/link')
  const linked = useQuery({
    queryKey: ['/sms/phones'],
    queryFn: ({ signal }) => api.get('/sms/phones', { schema: z.object({ phones: z.array(linkedPhone) }), signal }),
  })
  return (
    <Section title={t('phones.title')} description={t('phones.description')}>
      <QueryStates query={linked}>
        {({ phones }) =>
          phones.length === 0 ? (
            <Note>{t('phones.none')}</Note>
          ) : (
            phones.map(phone => <LinkedPhone key={phone.id} phone={phone} onRemoved={linked.refetch} />)
          )
        }
      </QueryStates>
      {mayLink && <LinkForm onLinked={() => void linked.refetch()} />}
      <CommandHint commands={['POST /sms/phones {"to":"+260971234567"}', 'GET /sms/phones']} />
    </Section>
  )
}

const LinkedPhone = ({
  phone: { id, phone, linkedAt },
  onRemoved,
}: {
  readonly phone: LinkedPhoneRecord
  readonly onRemoved: () => Promise<unknown>
}) => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const api = useApi()
  const mayLink = useAccess().may('sms/link')
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        {phone}{' '}
        <Text span c="dimmed" size="sm">
          {t('phones.linked')} <RelativeTime value={linkedAt} />
        </Text>
      </Text>
      {mayLink && (
        <ConfirmButton
          label={common('action.delete')}
          title={t('phones.removeTitle', { phone })}
          onConfirm={async () => {
            await api.delete(`/sms/phones/${encodeURIComponent(id)}`)
            await onRemoved()
          }}
        />
      )}
    </Group>
  )
}

const LinkForm = ({ onLinked }: { readonly onLinked: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const [to, setTo] = useState('')
  const [code, setCode] = useState('')
  const begin = useMutation({
    mutationFn: () => api.post('/sms/phones', { schema: z.object({ linked: z.boolean() }), body: { to } }),
    onSuccess: ({ linked }) => linked && onLinked(),
  })
  const isSent = begin.data?.linked === false
  const confirm = useMutation({
    mutationFn: () => api.post('/sms/phones/confirm', { body: { to, code } }),
    onSuccess: () => {
      begin.reset()
      setTo('')
      setCode('')
      onLinked()
    },
  })
  return (
    <ActionForm action={isSent ? confirm : begin}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('phones.number')}
          placeholder="+260971234567"
          type="tel"
          autoComplete="tel"
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
          disabled={isSent}
          maxLength={40}
        />
        {isSent && (
          <TextInput
            label={t('phones.code')}
            description={t('phones.codeSent')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
            maxLength={6}
          />
        )}
        <Button type="submit" variant="default" loading={begin.isPending || confirm.isPending} disabled={to === ''}>
          {t(isSent ? 'phones.confirm' : 'phones.link')}
        </Button>
      </Group>
    </ActionForm>
  )
}
