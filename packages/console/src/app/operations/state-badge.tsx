import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const colors: Readonly<Record<string, string>> = {
  ok: 'teal',
  ready: 'teal',
  done: 'teal',
  sent: 'teal',
  resolved: 'teal',
  active: 'teal',
  waiting: 'blue',
  running: 'blue',
  pending: 'blue',
  degraded: 'orange',
  stopping: 'orange',
  paused: 'orange',
  retrying: 'orange',
  dead: 'red',
  failed: 'red',
  firing: 'red',
  fired: 'red',
  stopped: 'red',
  disconnected: 'red',
}

/** A state in the language of the user; unknown states are shown as they are. */
export const StateBadge = ({ state }: { readonly state: string }) => {
  const { t } = useTranslation('operations')
  return (
    <Badge variant="dot" color={colors[state] ?? 'gray'} size="sm" tt="none" fw={500}>
      {t(`state.${state}`, { defaultValue: state })}
    </Badge>
  )
}
