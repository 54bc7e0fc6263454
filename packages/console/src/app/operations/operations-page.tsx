import { Button, Group } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'
import { NotAllowedState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'

const views = ['overview', 'jobs', 'outboxes', 'tasks', 'limits', 'log', 'alerts'] as const

/** A view of operations, with the navigation between them. */
export const OperationsPage = ({
  view,
  actions,
  children,
}: {
  readonly view: (typeof views)[number]
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('operations')
  const { may, has } = useAccess()
  const path = useRouterState({ select: state => state.location.pathname })
  const shown = views.filter(name => name !== 'tasks' || (has('tasks') && may('tasks/read')))
  return (
    <Page title={t(`${view}.title`)} description={t(`${view}.description`)} actions={actions}>
      <Group component="nav" aria-label={t('navigation')} gap={4}>
        {shown.map(name => {
          const to = name === 'overview' ? '/operations' : `/operations/${name}`
          const isCurrent = path === to
          return (
            <Button
              key={name}
              renderRoot={props => <Link to={to} {...props} />}
              size="compact-sm"
              variant={isCurrent ? 'light' : 'subtle'}
              color={isCurrent ? undefined : 'gray'}
              aria-current={isCurrent ? 'page' : undefined}
            >
              {t(`${name}.title`)}
            </Button>
          )
        })}
      </Group>
      {may('operator/read') ? children : <NotAllowedState ability="operator/read" />}
    </Page>
  )
}
