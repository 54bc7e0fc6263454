import { ActionIcon, Button, FileButton, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FileRecord, fileRecord, filesUsage } from '@sibyl/plugin-files/records'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storeFile } from '../api/store-file.ts'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Failure } from '../components/failure.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { saveFile } from '../components/save-file.ts'
import { Section } from '../components/section.tsx'
import { EmptyState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { OldFiles } from './old-files.tsx'

/** The files of the user: stored, found, downloaded, deleted and restored. */
export const FilesSection = () => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const api = useApi()
  const format = useFormat()
  const queries = useQueryClient()
  const mayWrite = useAccess().may('files/write')
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), 300)
  const [path, query] = q === '' ? ['/files', { limit: 50 }] : ['/files/search', { q, limit: 100 }]
  const files = usePages(path, 'files', query, { schema: fileRecord, itemKey: one => one.path })
  const usage = filesUsage.safeParse(files.first?.usage).data
  const changed = () =>
    Promise.all(
      ['/files', '/files/search', '/files/versions'].map(key => queries.invalidateQueries({ queryKey: [key] })),
    )
  const store = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) await storeFile(api, file.name, file)
    },
    onSettled: changed,
  })
  return (
    <Section
      title={t('files.title')}
      description={
        usage === undefined
          ? t('files.description')
          : t('files.usage', { bytes: format.bytes(usage.bytes), quota: format.bytes(usage.quotaBytes) })
      }
      actions={
        mayWrite && (
          <FileButton multiple onChange={chosen => store.mutate(chosen)}>
            {props => (
              <Button {...props} size="xs" leftSection={<Upload size={14} aria-hidden />} loading={store.isPending}>
                {t('files.store')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      {(files.items.length > 0 || q !== '') && (
        <TextInput
          size="xs"
          type="search"
          aria-label={common('action.search')}
          placeholder={common('action.search')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
          maxLength={500}
        />
      )}
      <Failure error={store.error} />
      <PageStates
        pages={files}
        empty={
          <EmptyState title={t(q === '' ? 'files.none' : 'files.noneFound')}>
            {q === '' ? t('files.noneRemedy') : ''}
          </EmptyState>
        }
      >
        <DataTable
          label={t('listOf', { title: t('files.title') })}
          maxHeight="24rem"
          rows={files.items}
          rowKey={one => one.path}
          pages={files}
          columns={useColumns(mayWrite, () => void changed())}
        />
      </PageStates>
      {usage !== undefined && usage.versions > 0 && (
        <OldFiles mayRestore={mayWrite} days={usage.versionDays} onRestored={() => void changed()} />
      )}
      <CommandHint commands={['GET /files', 'PUT /files/content?path={path}', 'GET /files/content?path={path}']} />
    </Section>
  )
}

const useColumns = (mayWrite: boolean, onChanged: () => void): readonly Column<FileRecord>[] => {
  const { t } = useTranslation('users')
  const format = useFormat()
  return [
    {
      key: 'path',
      header: t('files.path'),
      cell: ({ path, bytes }, isNarrow) => (
        <>
          <Text size="sm" truncate title={path}>
            {path}
          </Text>
          {isNarrow && (
            <Text size="xs" c="dimmed">
              {format.bytes(bytes)}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'bytes',
      header: t('files.size'),
      width: '6rem',
      wideOnly: true,
      cell: ({ bytes }) => <Text size="sm">{format.bytes(bytes)}</Text>,
    },
    {
      key: 'updated',
      header: t('files.updated'),
      width: '8rem',
      wideOnly: true,
      cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
    },
    {
      key: t('files.actions'),
      header: '',
      width: '7.5rem',
      cell: file => <FileActions file={file} mayDelete={mayWrite} onDeleted={onChanged} />,
    },
  ]
}

const FileActions = ({
  file: { path, sha256 },
  mayDelete,
  onDeleted,
}: {
  readonly file: FileRecord
  readonly mayDelete: boolean
  readonly onDeleted: () => void
}) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const download = useMutation({
    mutationFn: async () => {
      const response = await api.send('GET', '/files/content', { query: { path } })
      saveFile(await response.blob(), path.slice(path.lastIndexOf('/') + 1))
    },
  })
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Failure error={download.error} />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('files.download', { path })}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        <Download size={16} aria-hidden />
      </ActionIcon>
      {mayDelete && (
        <ConfirmButton
          label={<Trash2 size={16} aria-label={t('files.delete', { path })} />}
          title={t('files.deleteTitle', { path })}
          size="compact-xs"
          onConfirm={async () => {
            await api.delete('/files/content', { query: { path }, headers: { 'if-match': `"${sha256}"` } })
            onDeleted()
          }}
        >
          <Text size="sm">{t('files.deleteEffect')}</Text>
        </ConfirmButton>
      )}
    </Group>
  )
}
