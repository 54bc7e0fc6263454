import { Power } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { EmptyState } from '../../components/states.tsx'

/** Shown instead of the phone without the ussd plugin: the variables that switch it on. A key that is set stays: it opens what it sealed. */
export const UssdOff = () => {
  const { t } = useTranslation('phone')
  return (
    <EmptyState icon={<Power size={28} aria-hidden />} title={t('off.ussd')}>
      <CommandHint
        isRemedy
        title={t('off.ussdRemedy')}
        commands={["grep -q '^PIN_ENCRYPTION_KEY=' .env || echo PIN_ENCRYPTION_KEY=$(openssl rand -hex 32) >> .env"]}
      />
    </EmptyState>
  )
}

/** Shown instead of the messages without the sms plugin. */
export const SmsOff = () => {
  const { t } = useTranslation('phone')
  return (
    <EmptyState icon={<Power size={28} aria-hidden />} title={t('off.sms')}>
      <CommandHint isRemedy title={t('off.smsRemedy')} commands={['echo SMS_PROVIDER=embedded: >> .env']} />
    </EmptyState>
  )
}
