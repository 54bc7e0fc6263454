import { CloseButton, Group, Text } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccess } from '../session/console-context.tsx'
import { forgetOperatorSignIn, isOperatorSignIn } from '../session/oauth.ts'

/** A notice after a sign-in as operator with a DID that has no operator rights. */
export const NotOperator = () => {
  const { t } = useTranslation()
  const { did, may } = useAccess()
  const [isShown, setShown] = useState(isOperatorSignIn)
  if (may('operator/read') || !isShown) return null
  const close = () => {
    forgetOperatorSignIn()
    setShown(false)
  }
  return (
    <Group gap="xs" role="status" mb="sm" wrap="nowrap" align="flex-start">
      <ShieldAlert size={16} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
      <Text size="sm" flex={1}>
        {t('state.notOperator', { command: `npx sibyl token grant ${did} --ability operator/read` })}
      </Text>
      <CloseButton size="sm" aria-label={t('action.close')} onClick={close} />
    </Group>
  )
}
