import { Text } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { DataTable } from '../components/data-table.tsx'
import { shortDid } from '../components/did.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { SchemaForm } from '../components/schema-form.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The revoked delegations, and a form that revokes one by its hash. */
export const RevocationsSection = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  const list = useAfterPages('/revocations', 'revocations', {
    schema: authSchemas.revocationRecord,
    keyOf: ({ hash }) => hash,
  })
  return (
    <Section title={t('revocations.title')} description={t('revocations.description')}>
      {may('operator/write') && <Revoke onRevoked={list.refetch} />}
      <PageStates pages={list} empty={<Note>{t('revocations.none')}</Note>}>
        <DataTable
          label={t('listOf', { title: t('revocations.title') })}
          maxHeight="24rem"
          rows={list.items}
          rowKey={({ hash }) => hash}
          pages={list}
          columns={[
            {
              key: 'hash',
              header: t('revocations.hash'),
              cell: ({ hash }) => (
                <Text size="xs" ff="monospace" truncate title={hash}>
                  {hash}
                </Text>
              ),
            },
            {
              key: 'by',
              header: t('revocations.by'),
              wideOnly: true,
              cell: ({ revokedBy }) => (
                <Text size="xs" truncate title={revokedBy}>
                  {revokedBy === 'operator' ? t('revocations.operator') : shortDid(revokedBy)}
                </Text>
              ),
            },
            {
              key: 'at',
              header: t('revocations.at'),
              width: '8rem',
              cell: ({ revokedAt }) => <RelativeTime value={revokedAt} />,
            },
          ]}
        />
      </PageStates>
      <CommandHint commands={['npx sibyl token revoke - < delegation.ucan', 'PUT /revocations/{hash}']} />
    </Section>
  )
}

const Revoke = ({ onRevoked }: { readonly onRevoked: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const hash = { type: 'string', title: t('revocations.hash'), description: t('revocations.hashHint') }
  return (
    <SchemaForm
      schema={{ type: 'object', required: ['hash'], properties: { hash } }}
      draft="revocation"
      submitLabel={t('revocations.revoke')}
      onSubmit={async values => {
        await api.put(`/revocations/${encodeURIComponent(String(values.hash).trim())}`)
        onRevoked()
      }}
    />
  )
}
