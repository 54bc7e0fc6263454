import { Text } from '@mantine/core'
import type { ClaimRecord } from '@sibyl/plugin-claims/records'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Pages } from '../../components/use-pages.ts'
import { ClaimLink, NamedDid } from '../parts/links.tsx'
import { ClaimStateBadge } from '../parts/state-badge.tsx'

/** A table of claims. */
export const ClaimRows = ({
  pages,
  hideAsset = false,
}: {
  readonly pages: Pages<ClaimRecord>
  readonly hideAsset?: boolean
}) => {
  const { t } = useTranslation('twins')
  const columns: readonly Column<ClaimRecord>[] = [
    {
      key: 'claim',
      header: t('claims.claim'),
      width: '10rem',
      cell: ({ id, type }) => (
        <ClaimLink id={id}>
          {type} …{id.slice(-6)}
        </ClaimLink>
      ),
    },
    ...(hideAsset
      ? []
      : [
          {
            key: 'asset',
            header: t('claims.asset'),
            cell: ({ asset }: ClaimRecord) =>
              asset === undefined ? (
                <Text span size="sm" c="dimmed">
                  {t('claims.noAsset')}
                </Text>
              ) : (
                <NamedDid did={asset} />
              ),
          },
        ]),
    {
      key: 'state',
      header: t('claims.state'),
      width: '8.5rem',
      wideOnly: true,
      cell: ({ state }) => <ClaimStateBadge state={state} />,
    },
    {
      key: 'verdict',
      header: t('claims.verdict'),
      width: '9rem',
      wideOnly: true,
      cell: ({ verdict }) =>
        verdict && (
          <Text span size="sm">
            {t(`claims.decisions.${verdict.decision}`)}
          </Text>
        ),
    },
    {
      key: 'submitter',
      header: t('claims.submitter'),
      width: '13rem',
      wideOnly: true,
      cell: ({ submitter }) => <NamedDid did={submitter} />,
    },
    {
      key: 'created',
      header: t('claims.submitted'),
      width: '7.5rem',
      wideOnly: true,
      cell: ({ createdAt }) => <RelativeTime value={createdAt} />,
    },
  ]
  return (
    <DataTable label={t('claims.title')} columns={columns} rows={pages.items} rowKey={({ id }) => id} pages={pages} />
  )
}
