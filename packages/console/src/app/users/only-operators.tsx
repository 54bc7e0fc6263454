import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Narrows a list to the entries with abilities of the operator. */
export const OnlyOperators = ({
  checked,
  onChange,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}) => {
  const { t } = useTranslation('users')
  return (
    <Switch
      size="sm"
      label={t('onlyOperators')}
      checked={checked}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
