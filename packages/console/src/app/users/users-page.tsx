import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'
import { useAccess } from '../session/console-context.tsx'
import classes from './users-page.module.css'

const views = [
  { path: '/users', name: 'approvals', ability: 'chat/send' },
  { path: '/users/mine', name: 'mine', ability: undefined },
  { path: '/users/people', name: 'people', ability: 'operator/read' },
  { path: '/users/access', name: 'access', ability: 'operator/read' },
] as const

/** The heading of a view of this feature, with links to the others. */
export const UsersPage = ({
  title,
  description,
  actions,
  children,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  const path = useRouterState({ select: state => state.location.pathname })
  const current = views.findLast(view => path === view.path || path.startsWith(`${view.path}/`))
  return (
    <Page title={title} description={description} actions={actions}>
      <ul className={classes.links} aria-label={t('views')}>
        {views
          .filter(({ ability }) => ability === undefined || may(ability))
          .map(view => (
            <li key={view.path}>
              <Link
                to={view.path}
                className={classes.link}
                activeOptions={{ exact: view.path === '/users' }}
                aria-current={current === view ? 'page' : undefined}
              >
                {t(`view.${view.name}`)}
              </Link>
            </li>
          ))}
      </ul>
      {children}
    </Page>
  )
}
