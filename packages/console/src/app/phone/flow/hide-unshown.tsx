import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The switch that hides screens that no caller has seen. */
export const HideUnshown = ({
  isOn,
  onChange,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) => {
  const { t } = useTranslation('phone')
  return (
    <Switch
      size="xs"
      label={t('flow.hideUnshown')}
      checked={isOn}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
