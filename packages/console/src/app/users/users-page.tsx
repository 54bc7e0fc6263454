import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'
import { PersonNamesProvider } from '../components/person-names.tsx'
import { ViewLinks } from '../components/view-links.tsx'
import { useAccess } from '../session/console-context.tsx'

const views = [
  { path: '/users', name: 'approvals', ability: 'session/read' },
  { path: '/users/waiting', name: 'waiting', ability: 'operator/read' },
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
  const links = views
    .filter(({ ability }) => ability === undefined || may(ability))
    .map(({ path, name }) => ({ to: path, label: t(`view.${name}`) }))
  return (
    <Page
      title={title}
      description={description}
      actions={actions}
      views={<ViewLinks label={t('views')} views={links} />}
    >
      <PersonNamesProvider>{children}</PersonNamesProvider>
    </Page>
  )
}
