import { Text } from '@mantine/core'
import type { SignInRecord } from '@sibyl/client'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import type { MorePages } from '../components/use-load-more.ts'
import { Scopes } from './scopes.tsx'

/** Sign-ins of applications, which can be ended. */
export const SignInsTable = ({
  signIns,
  ofOthers = false,
  showsPerson = false,
  onEnd,
  pages,
}: {
  readonly signIns: readonly SignInRecord[]
  /** Whether they are of other users. */
  readonly ofOthers?: boolean
  /** Whether each has a link to its user. */
  readonly showsPerson?: boolean
  readonly onEnd?: (id: string) => Promise<unknown>
  readonly pages?: MorePages
}) => {
  const { t } = useTranslation('users')
  return (
    <DataTable
      label={t('listOf', { title: t('signIns.title') })}
      maxHeight="24rem"
      rows={signIns}
      rowKey={({ id }) => id}
      pages={pages}
      columns={[
        {
          key: 'client',
          header: t('signIns.application'),
          cell: ({ clientName, nameVerified, application, client, did, device, current }) => (
            <>
              <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }} title={application ?? client}>
                {nameVerified ? clientName : (application ?? client)}
              </Text>
              {!nameVerified && (
                <Text size="xs" c="dimmed" truncate>
                  {t('signIns.unverified', { name: clientName })}
                </Text>
              )}
              {(device ?? current) !== undefined && (
                <Text size="xs" c="dimmed" truncate title={device}>
                  {[current && t('signIns.current'), device].filter(Boolean).join(' · ')}
                </Text>
              )}
              {showsPerson && did !== undefined && <PersonLink did={did} />}
            </>
          ),
        },
        { key: 'scopes', header: t('scopes'), wideOnly: true, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
        {
          key: 'started',
          header: t('signIns.started'),
          width: '7rem',
          wideOnly: true,
          cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
        {
          key: 'used',
          header: t('lastUsed'),
          width: '8rem',
          wideOnly: true,
          cell: ({ usedAt }) => <RelativeTime value={usedAt} />,
        },
        {
          key: 'expires',
          header: t('expires'),
          width: '7rem',
          wideOnly: true,
          cell: ({ expiresAt }) => <RelativeTime value={expiresAt} />,
        },
        ...(onEnd
          ? [
              {
                key: t('signIns.end'),
                header: '',
                width: '6rem',
                cell: ({ id, clientName, nameVerified, application, client }: SignInRecord) => (
                  <ConfirmButton
                    label={t('signIns.end')}
                    title={t('signIns.endTitle', { name: nameVerified ? clientName : (application ?? client) })}
                    onConfirm={() => onEnd(id)}
                  >
                    <Text size="sm">{t(ofOthers ? 'signIns.endOther' : 'signIns.endOwn')}</Text>
                  </ConfirmButton>
                ),
              },
            ]
          : []),
      ]}
      rowHeight={showsPerson ? 92 : 72}
    />
  )
}
