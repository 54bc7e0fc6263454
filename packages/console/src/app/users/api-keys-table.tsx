import { Text } from '@mantine/core'
import type { ApiKeyRecord } from '@sibyl/client'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import type { Pages } from '../components/use-pages.ts'
import { Scopes } from './scopes.tsx'

/** API keys without their secrets, which can be revoked. */
export const ApiKeysTable = ({
  keys,
  ofAll = false,
  onRevoke,
}: {
  readonly keys: Pages<ApiKeyRecord>
  /** Whether keys of several users are listed. */
  readonly ofAll?: boolean
  readonly onRevoke?: (id: string) => Promise<unknown>
}) => {
  const { t } = useTranslation('users')
  return (
    <PageStates pages={keys} empty={<Note>{t('keys.none')}</Note>}>
      <DataTable
        label={t('listOf', { title: t('keys.title') })}
        maxHeight="24rem"
        rowHeight={ofAll ? 56 : 44}
        rows={keys.items}
        rowKey={({ id }) => id}
        pages={keys}
        columns={[
          {
            key: 'name',
            header: t('keys.name'),
            cell: ({ name, id, did }) => (
              <>
                <Text size="sm" truncate title={id}>
                  {name}
                </Text>
                {ofAll && <PersonLink did={did} />}
              </>
            ),
          },
          { key: 'scopes', header: t('scopes'), wideOnly: true, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          {
            key: 'used',
            header: t('lastUsed'),
            width: '8rem',
            wideOnly: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? t('never') : <RelativeTime value={lastUsedAt} />),
          },
          {
            key: 'expires',
            header: t('expires'),
            width: '7rem',
            cell: ({ expiresAt }) => <RelativeTime value={expiresAt} />,
          },
          ...(onRevoke
            ? [
                {
                  key: t('keys.revoke'),
                  header: '',
                  width: '6.5rem',
                  cell: ({ id, name }: ApiKeyRecord) => (
                    <ConfirmButton
                      label={t('keys.revoke')}
                      title={t('keys.revokeTitle', { name })}
                      onConfirm={() => onRevoke(id)}
                    >
                      <Text size="sm">{t('keys.revokeEffect')}</Text>
                    </ConfirmButton>
                  ),
                },
              ]
            : []),
        ]}
      />
    </PageStates>
  )
}
