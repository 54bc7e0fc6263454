import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'
import { PersonNamesProvider } from '../components/person-names.tsx'
import { NotAllowedState } from '../components/states.tsx'
import { ViewLinks } from '../components/view-links.tsx'
import { useAccess } from '../session/console-context.tsx'
import { useOracleRecord } from '../session/use-oracle-record.ts'

const views = [
  'overview',
  'turns',
  'credits',
  'jobs',
  'outboxes',
  'tasks',
  'tools',
  'storage',
  'limits',
  'log',
  'alerts',
] as const

/** A view of operations, with the navigation between them. */
export const OperationsPage = ({
  view,
  actions,
  children,
}: {
  /** `sms` is a list of the outboxes. */
  readonly view: (typeof views)[number] | 'sms'
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('operations')
  const { may, has } = useAccess()
  const { data: oracle } = useOracleRecord()
  // Tools are called at the endpoint of the Model Context Protocol.
  const hasTools = may('chat/send') && oracle?.endpoints['mcp-server'] !== undefined
  const shown = views.filter(name =>
    name === 'tools' ? hasTools : (name !== 'tasks' && name !== 'credits') || has(name),
  )
  const links = shown.map(name => ({
    to: name === 'overview' ? '/operations' : `/operations/${name}`,
    label: t(`${name}.title`),
  }))
  return (
    <Page
      title={t(`${view}.title`)}
      description={t(`${view}.description`)}
      actions={actions}
      views={<ViewLinks label={t('navigation')} views={links} />}
    >
      {may('operator/read') ? (
        <PersonNamesProvider>{children}</PersonNamesProvider>
      ) : (
        <NotAllowedState ability="operator/read" />
      )}
    </Page>
  )
}
