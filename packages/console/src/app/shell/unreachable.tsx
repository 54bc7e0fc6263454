import { Group, Text } from '@mantine/core'
import { WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Shown while the oracle does not respond. */
export const Unreachable = () => {
  const { t } = useTranslation()
  return (
    <Group gap="xs" role="alert" mb="sm">
      <WifiOff size={16} aria-hidden />
      <Text size="sm">{t('state.lost')}</Text>
    </Group>
  )
}
