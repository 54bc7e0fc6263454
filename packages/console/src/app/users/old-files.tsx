import { Button, Text, Title } from '@mantine/core'
import { versionRecord } from '@sibyl/plugin-files/records'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { restoreFile } from '../api/store-file.ts'
import { DataTable } from '../components/data-table.tsx'
import { Failure } from '../components/failure.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useApi } from '../session/console-context.tsx'

/** Deleted files and earlier contents, which can be restored for some days. */
export const OldFiles = ({
  mayRestore,
  days,
  onRestored,
}: {
  readonly mayRestore: boolean
  readonly days: number
  readonly onRestored: () => void
}) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const format = useFormat()
  const versions = usePages('/files/versions', 'versions', { limit: 50 }, { schema: versionRecord })
  const restore = useMutation({ mutationFn: (id: string) => restoreFile(api, id), onSettled: onRestored })
  return (
    <>
      <div>
        <Title order={3} size="sm">
          {t('files.old')}
        </Title>
        <Note>{t('files.oldDescription', { days })}</Note>
      </div>
      <Failure error={restore.error} />
      <PageStates pages={versions} empty={null}>
        <DataTable
          label={t('files.old')}
          maxHeight="16rem"
          rows={versions.items}
          rowKey={({ id }) => id}
          pages={versions}
          columns={[
            {
              key: 'path',
              header: t('files.path'),
              cell: ({ path, bytes, reason }) => (
                <>
                  <Text size="sm" truncate title={path}>
                    {path}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t(`files.reasons.${reason}`)} · {format.bytes(bytes)}
                  </Text>
                </>
              ),
            },
            {
              key: 'ended',
              header: t('files.ended'),
              width: '8rem',
              wideOnly: true,
              cell: ({ endedAt }) => <RelativeTime value={endedAt} />,
            },
            {
              key: t('files.actions'),
              header: '',
              width: '7rem',
              cell: ({ id, path }) =>
                mayRestore && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('files.restoreOf', { path })}
                    loading={restore.isPending && restore.variables === id}
                    onClick={() => restore.mutate(id)}
                  >
                    {t('files.restore')}
                  </Button>
                ),
            },
          ]}
        />
      </PageStates>
    </>
  )
}
