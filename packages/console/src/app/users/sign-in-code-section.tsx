import { NumberInput, Text, TextInput } from '@mantine/core'
import { codeRecord } from '@sibyl/oauth/records'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Note } from '../components/note.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { useApi, useConsole } from '../session/console-context.tsx'
import { CredentialForm } from './credential-form.tsx'
import { SecretCard } from './secret-card.tsx'

/** Creates one-time codes with which users sign in without a key, as text and as a link to scan. */
export const SignInCodeSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { base } = useConsole()
  const [user, setUser] = useState('')
  const [scopes, setScopes] = useState(['chat/*', 'session/*', 'me/export', 'me/erase'])
  const [minutes, setMinutes] = useState<number | string>(10)
  const create = useMutation({
    mutationFn: () => {
      const who = user.trim()
      const body = { ...(who.startsWith('did:') ? { did: who } : { name: who }), scopes, minutes: Number(minutes) }
      return api.post('/oauth/codes', { schema: codeRecord, body })
    },
  })
  const made = create.data
  return (
    <Section title={t('codes.title')} description={t('codes.description')}>
      <CredentialForm
        create={create}
        label={t('codes.create')}
        isReady={user.trim() !== ''}
        scopes={scopes}
        onScopes={setScopes}
      >
        <TextInput
          label={t('codes.user')}
          description={t('codes.userHint')}
          value={user}
          onChange={event => setUser(event.currentTarget.value)}
          maxLength={1_000}
          miw={200}
        />
        <NumberInput
          label={t('codes.minutes')}
          description={t('codes.minutesHint')}
          value={minutes}
          onChange={setMinutes}
          min={1}
          max={60}
          maw={200}
          hideControls
        />
      </CredentialForm>
      {made && (
        <SecretCard
          title={t('codes.made')}
          secret={made.code}
          qr={`${base.console}#code=${made.code}`}
          qrLabel={t('codes.qr')}
          onClose={() => create.reset()}
        >
          <Text size="sm">{t('codes.scan')}</Text>
          <Note>
            {t('expires')} <RelativeTime value={made.expiresAt} />
          </Note>
        </SecretCard>
      )}
      <CommandHint commands={['npx sibyl sign-in code Mutale', 'POST /oauth/codes {"name":"Mutale","minutes":10}']} />
    </Section>
  )
}
