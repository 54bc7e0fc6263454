import { Badge, Button, Text } from '@mantine/core'
import { type ProtocolRecord, protocolRecord } from '@sibyl/plugin-entities/records'
import { Link } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { EmptyState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'

/** All protocols, each in its newest version. */
export const ProtocolsView = () => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  const create = (
    <Button size="xs" renderRoot={props => <Link to="/twins/protocols/new" {...props} />}>
      {t('protocols.new')}
    </Button>
  )
  return (
    <Page
      title={t('protocols.title')}
      description={t('protocols.description')}
      actions={access.may('entities/write') ? create : undefined}
    >
      <ProtocolList />
    </Page>
  )
}

const ProtocolList = () => {
  const { t } = useTranslation('twins')
  const pages = usePages(
    'v1/protocols',
    'protocols',
    { limit: 50 },
    { schema: protocolRecord, itemKey: ({ did }) => did },
  )
  const columns: readonly Column<ProtocolRecord>[] = [
    { key: 'protocol', header: t('entities.protocol'), cell: ({ did }) => <NamedDid did={did} /> },
    {
      key: 'fields',
      header: t('protocols.fields'),
      wideOnly: true,
      cell: ({ properties }) => (
        <Text size="sm" lineClamp={1}>
          {Object.keys(properties).join(', ')}
        </Text>
      ),
    },
    {
      key: 'version',
      header: t('protocols.version'),
      width: '6rem',
      cell: ({ version }) => <Badge variant="default">{version}</Badge>,
    },
    {
      key: 'status',
      header: t('entities.status'),
      width: '8rem',
      wideOnly: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'created',
      header: t('protocols.since'),
      width: '7.5rem',
      wideOnly: true,
      cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
    },
  ]
  return (
    <PageStates pages={pages} empty={<NoProtocols />}>
      <DataTable
        label={t('protocols.title')}
        columns={columns}
        rows={pages.items}
        rowKey={({ did }) => did}
        pages={pages}
      />
    </PageStates>
  )
}

const NoProtocols = () => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const body = {
    type: 'Protocol',
    alsoKnownAs: ['Clean cooking'],
    properties: { serial: { type: 'string', required: true } },
  }
  return (
    <EmptyState icon={<ClipboardList size={28} aria-hidden />} title={t('protocols.none')}>
      <Note>{t('protocols.noneRemedy')}</Note>
      <CommandHint commands={[curl('POST', api.url('v1/entities'), body)]} />
    </EmptyState>
  )
}
