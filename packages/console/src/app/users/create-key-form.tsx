import { NumberInput, Text, TextInput } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'
import { CredentialForm } from './credential-form.tsx'
import { SecretCard } from './secret-card.tsx'

/** A form that creates an API key, which is shown once. */
export const CreateKeyForm = ({
  asOperator = false,
  onCreated,
}: {
  /** Whether the key may act as another DID and have abilities of the operator. */
  readonly asOperator?: boolean
  readonly onCreated: () => void
}) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { base } = useConsole()
  const [name, setName] = useState('')
  const [did, setDid] = useState('')
  const [days, setDays] = useState<number | string>(90)
  const { may } = useAccess()
  const [scopes, setScopes] = useState(() => ['chat/*', 'session/*'].filter(may))
  const create = useMutation({
    mutationFn: () =>
      api.post('/api-keys', {
        schema: authSchemas.createdApiKeyRecord,
        ...(asOperator ? { query: { as: 'operator' } } : {}),
        body: { name: name.trim(), scopes, days: Number(days), ...(did.trim() === '' ? {} : { did: did.trim() }) },
      }),
    onSuccess: () => {
      setName('')
      onCreated()
    },
  })
  const made = create.data
  return (
    <>
      <CredentialForm
        create={create}
        label={t('keys.create')}
        isReady={name.trim() !== ''}
        scopes={scopes}
        onScopes={setScopes}
        withOperator={asOperator}
      >
        <TextInput
          label={t('keys.name')}
          description={t('keys.nameHint')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          maxLength={100}
          miw={180}
        />
        {asOperator && (
          <TextInput
            label={t('keys.did')}
            description={t('keys.didHint')}
            value={did}
            onChange={event => setDid(event.currentTarget.value)}
            maxLength={1_000}
            miw={180}
          />
        )}
        <NumberInput
          label={t('keys.days')}
          description={t('keys.daysHint')}
          value={days}
          onChange={setDays}
          min={1}
          max={365}
          maw={140}
          hideControls
        />
      </CredentialForm>
      {made && (
        <SecretCard
          title={t('keys.made', { name: made.name })}
          secret={made.key}
          qr={JSON.stringify({ url: base.oracle.href, key: made.key })}
          qrLabel={t('keys.qr')}
          onClose={() => create.reset()}
        >
          <Text size="sm">{t('keys.scan')}</Text>
          <CommandHint
            title={t('keys.use')}
            commands={[`curl -H 'authorization: Bearer <key>' ${new URL('sessions', base.oracle).href}`]}
          />
        </SecretCard>
      )}
    </>
  )
}
