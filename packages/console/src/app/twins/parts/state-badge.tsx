import { Badge } from '@mantine/core'
import type { ClaimState } from '@sibyl/plugin-claims/records'
import { useTranslation } from 'react-i18next'

const statusColors = { active: 'teal', deactivated: 'gray', suspended: 'yellow', revoked: 'red' } as const

/** The status of an entity or a credential. */
export const StatusBadge = ({ status }: { readonly status: keyof typeof statusColors }) => {
  const { t } = useTranslation('twins')
  return (
    <Badge variant="dot" color={statusColors[status]} tt="none" fw={500}>
      {t(`status.${status}`)}
    </Badge>
  )
}

const stateColors: Readonly<Record<ClaimState, string>> = {
  submitted: 'blue',
  evaluating: 'indigo',
  approved: 'teal',
  rejected: 'red',
  disputed: 'orange',
  upheld: 'gray',
  invalidated: 'gray',
}

export const ClaimStateBadge = ({ state }: { readonly state: ClaimState }) => {
  const { t } = useTranslation('twins')
  return (
    <Badge variant="dot" color={stateColors[state]} tt="none" fw={500}>
      {t(`claims.states.${state}`)}
    </Badge>
  )
}
