import { useLocalStorage } from '@mantine/hooks'

/** Returns whether single letters act as shortcuts in the claims queue; users of speech input switch them off. */
export const useShortcuts = () => {
  const [isOn, setOn] = useLocalStorage({ key: 'sibyl-console-shortcuts', defaultValue: true })
  return { isOn, setOn }
}
