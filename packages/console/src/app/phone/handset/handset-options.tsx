import { NativeSelect, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { readPhoneNumber } from '@sibyl/plugin/phones'
import { phoneForms } from '@sibyl/plugin-ussd/phone'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { useTranslation } from 'react-i18next'

/** Input of the user for the simulated phone. */
export interface PhoneInput {
  readonly provider: string
  readonly phoneNumber: string
  readonly code: string
  readonly secret: string
}

export const isPhoneNumber = (text: string): boolean => readPhoneNumber(text) === text

export const isServiceCode = (text: string): boolean => /^\*\d+(\*\d+)*#$/.test(text) && text.length <= 100

/** The provider, the number and the secret of the phone. */
export const HandsetOptions = ({
  input,
  onInput,
  flow,
  hasPhone,
  isInCall,
}: {
  readonly input: PhoneInput
  readonly onInput: (changes: Partial<PhoneInput>) => void
  readonly flow: FlowRecord | undefined
  /** False without the ussd plugin: only the number is chosen. */
  readonly hasPhone: boolean
  readonly isInCall: boolean
}) => {
  const { t } = useTranslation('phone')
  const known = new Set(phoneForms.map(({ name }) => name))
  const others = flow?.gateway.providers.filter(({ name }) => !known.has(name)) ?? []
  const isClosed = flow?.gateway.onlyTrusted === true && input.secret === ''
  return (
    <Stack gap="sm">
      {hasPhone && (
        <NativeSelect
          label={t('options.provider')}
          description={t('options.providerHint')}
          value={input.provider}
          disabled={isInCall}
          onChange={event => onInput({ provider: event.currentTarget.value })}
          data={[
            ...phoneForms.map(({ name, title }) => ({
              value: name,
              label: name === 'plain' ? t('options.plain') : title,
            })),
            ...others.map(({ name, title }) => ({
              value: name,
              label: t('options.notSimulated', { provider: title }),
              disabled: true,
            })),
          ]}
        />
      )}
      <TextInput
        label={t('options.number')}
        description={t('options.numberHint')}
        value={input.phoneNumber}
        disabled={isInCall}
        inputMode="tel"
        autoComplete="off"
        maxLength={16}
        onChange={event => onInput({ phoneNumber: event.currentTarget.value.trim() })}
        error={isPhoneNumber(input.phoneNumber) ? undefined : t('options.numberInvalid')}
      />
      {hasPhone && (
        <PasswordInput
          label={t('options.secret')}
          description={t('options.secretHint')}
          value={input.secret}
          autoComplete="off"
          maxLength={500}
          visibilityToggleButtonProps={{ 'aria-label': t('options.showSecret') }}
          onChange={event => onInput({ secret: event.currentTarget.value.trim() })}
        />
      )}
      {hasPhone && isClosed && (
        <Paper withBorder p="sm" role="note">
          <Text size="sm" fw={600}>
            {t('options.onlyTrusted')}
          </Text>
          <Text size="sm">{t('options.onlyTrustedRemedy')}</Text>
        </Paper>
      )}
    </Stack>
  )
}
