import { ActionIcon, Badge, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { factRecord } from '@sibyl/plugin-memory/records'
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Failure } from '../components/failure.tsx'
import { PageStates } from '../components/page-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { EmptyState } from '../components/states.tsx'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'

/** The facts that the oracle remembers about the user. */
export const MemorySection = () => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const api = useApi()
  const mayDelete = useAccess().may('memory/delete')
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), 300)
  const facts = usePages('/memory', 'facts', { q }, { schema: factRecord })
  const forget = useMutation({
    mutationFn: (id: string) => api.delete(`/memory/${encodeURIComponent(id)}`),
    onSettled: facts.refetch,
  })
  return (
    <Section
      title={t('memory.title')}
      description={t('memory.description')}
      actions={
        mayDelete &&
        facts.items.length > 0 && (
          <ConfirmButton
            label={t('memory.forgetAll')}
            title={t('memory.forgetAllTitle')}
            onConfirm={async () => {
              await api.delete('/memory', { query: { confirm: 'all' } })
              facts.refetch()
            }}
          >
            <Text size="sm">{t('cannotBeUndone')}</Text>
          </ConfirmButton>
        )
      }
    >
      {(facts.items.length > 0 || q !== '') && (
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
      <Failure error={forget.error} />
      <PageStates
        pages={facts}
        empty={
          <EmptyState title={t(q === '' ? 'memory.none' : 'memory.noneFound')}>
            {q === '' ? t('memory.noneRemedy') : ''}
          </EmptyState>
        }
      >
        <DataTable
          label={t('listOf', { title: t('memory.title') })}
          maxHeight="24rem"
          rows={facts.items}
          rowKey={({ id }) => id}
          pages={facts}
          columns={[
            {
              key: 'text',
              header: t('memory.fact'),
              cell: ({ text, tags }) => (
                <Group gap={6}>
                  <Text size="sm" lineClamp={3} title={text}>
                    {text}
                  </Text>
                  {tags.map(tag => (
                    <Badge key={tag} size="xs" variant="light" color="gray" tt="none">
                      {tag}
                    </Badge>
                  ))}
                </Group>
              ),
            },
            {
              key: 'updated',
              header: t('memory.updated'),
              width: '8rem',
              wideOnly: true,
              cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
            },
            {
              key: 'delete',
              header: '',
              width: '3rem',
              cell: ({ id, text }) =>
                mayDelete && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('memory.forget', { text })}
                    loading={forget.isPending && forget.variables === id}
                    onClick={() => forget.mutate(id)}
                  >
                    <Trash2 size={16} aria-hidden />
                  </ActionIcon>
                ),
            },
          ]}
        />
      </PageStates>
      <CommandHint commands={['GET /memory', 'DELETE /memory/{id}']} />
    </Section>
  )
}
