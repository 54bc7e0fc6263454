import { Button, Group, Stack, Text } from '@mantine/core'
import { type CredentialSummary, credentialSummary } from '@sibyl/plugin-credentials/records'
import { BadgeCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isObject } from '../../api/is-object.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { FormButton } from '../../components/schema-form.tsx'
import { EmptyState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'
import { CredentialDialog } from './credential-dialog.tsx'

/** The credentials whose subject is an entity. */
export const EntityCredentials = ({ subject }: { readonly subject: string }) => {
  const { t } = useTranslation('twins')
  const [shown, setShown] = useState<string>()
  const access = useAccess()
  const api = useApi()
  const issueSchema = useMemo(
    () => ({
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', title: t('credentials.type'), description: 'CleanCookingCredential' },
        claims: { type: 'array', title: t('credentials.claims') },
        validUntil: { type: 'string', format: 'date', title: t('credentials.validUntil') },
      },
    }),
    [t],
  )
  const pages = usePages('credentials', 'credentials', { subject, limit: 50 }, { schema: credentialSummary })
  const columns: readonly Column<CredentialSummary>[] = [
    {
      key: 'type',
      header: t('credentials.type'),
      cell: ({ type }) => (
        <Text size="sm" fw={500}>
          {type}
        </Text>
      ),
    },
    {
      key: 'status',
      header: t('entities.status'),
      width: '8rem',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'by',
      header: t('credentials.issuedBy'),
      width: '14rem',
      wideOnly: true,
      cell: ({ issuedBy }) => <NamedDid did={issuedBy} />,
    },
    {
      key: 'at',
      header: t('credentials.issuedAt'),
      width: '8rem',
      wideOnly: true,
      cell: ({ issuedAt }) => <RelativeTime value={issuedAt} />,
    },
    {
      key: 'open',
      header: '',
      width: '6rem',
      cell: ({ id }) => (
        <Button size="compact-xs" variant="default" onClick={() => setShown(id)}>
          {t('credentials.show')}
        </Button>
      ),
    },
  ]
  return (
    <Stack gap="sm">
      <Group>
        {access.may('credentials/issue') && access.may('operator/write') && (
          <FormButton
            label={t('credentials.issue')}
            draft={`credential ${subject}`}
            schema={issueSchema}
            onSubmit={async ({ claims, validUntil, type }) => {
              const expires = validUntil === undefined ? {} : { validUntil: `${String(validUntil)}T23:59:59Z` }
              const own = isObject(claims) ? claims : {}
              await api.post('credentials/issue', { body: { type, subject: { ...own, id: subject }, ...expires } })
              pages.refetch()
            }}
          />
        )}
      </Group>
      <PageStates
        pages={pages}
        empty={
          <EmptyState icon={<BadgeCheck size={28} aria-hidden />} title={t('credentials.none')}>
            {t('credentials.noneRemedy')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('credentials.title')}
          columns={columns}
          rows={pages.items}
          rowKey={({ id }) => id}
          pages={pages}
          maxHeight="24rem"
        />
        <CredentialDialog id={shown} onClose={() => setShown(undefined)} />
      </PageStates>
    </Stack>
  )
}
