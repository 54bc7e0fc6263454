import { Switch } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

/** Returns whether single letters act as shortcuts. They are off until a user wants them: a letter typed by mistake decides. */
export const useShortcuts = () => {
  const [isOn, setOn] = useLocalStorage({
    key: 'sibyl-console-shortcuts',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  return { isOn, setOn }
}

/** Turns shortcuts on and off. */
export const ShortcutsSwitch = () => {
  const { t } = useTranslation()
  const { isOn, setOn } = useShortcuts()
  return (
    <Switch
      size="xs"
      ms="auto"
      checked={isOn}
      onChange={event => setOn(event.currentTarget.checked)}
      label={t('action.shortcuts')}
    />
  )
}
