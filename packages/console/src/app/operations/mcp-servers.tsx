import { Button, Stack, Text } from '@mantine/core'
import { type McpServerRecord, mcpServerRecord } from '@sibyl/plugin-mcp/records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type Column, DataTable } from '../components/data-table.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { Section } from '../components/section.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { LogAnchor } from './log-anchor.tsx'
import { McpServerDetails } from './mcp-server-details.tsx'
import { StateBadge } from './state-badge.tsx'

/** MCP servers with their states and tools; nothing if the oracle has none. */
export const McpServers = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const [opened, setOpened] = useState<string>()
  const servers = useQuery({
    queryKey: ['operator', 'mcp-servers'],
    queryFn: ({ signal }) =>
      api.get('/mcp/servers', { schema: z.object({ servers: z.array(mcpServerRecord) }), signal }),
    refetchInterval: 20_000,
  })
  const columns = useColumns(opened, name => setOpened(name === opened ? undefined : name))
  if (!servers.error && !servers.data?.servers.length) return null
  return (
    <Section title={t('mcp.title')} description={t('mcp.description')}>
      <QueryStates query={servers}>
        {({ servers: list }) => {
          const server = list.find(({ name }) => name === opened)
          return (
            <>
              <DataTable
                label={`${t('mcp.title')}: ${t('mcp.server')}`}
                columns={columns}
                rows={list}
                rowKey={({ name }) => name}
                rowHeight={76}
                maxHeight="30rem"
              />
              {server && <McpServerDetails server={server} />}
            </>
          )
        }}
      </QueryStates>
    </Section>
  )
}

const useColumns = (opened: string | undefined, toggle: (name: string) => void): readonly Column<McpServerRecord>[] => {
  const { t } = useTranslation('operations')
  const problemOf = ({ reason, changed }: McpServerRecord) =>
    reason ?? (changed.length > 0 ? t('mcp.waiting', { count: changed.length }) : undefined)
  const factsOf = ({ kind, server, identity, connections }: McpServerRecord) => [
    t(`mcp.kind.${kind}`),
    ...(server ? [`${server.name} ${server.version}`] : []),
    ...(identity === 'caller' ? [t('mcp.perUser', { count: connections })] : []),
  ]
  return [
    {
      key: 'server',
      header: t('mcp.server'),
      cell: (server, isNarrow) => (
        <Stack gap={0} align="flex-start">
          <Text size="sm">{server.name}</Text>
          {isNarrow && <StateBadge state={server.state} />}
          <Text size="xs" c="dimmed" lineClamp={isNarrow ? 1 : 2} title={server.reason}>
            {(isNarrow && problemOf(server)) || factsOf(server).join(' · ')}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('plugins.state'),
      width: '7rem',
      wideOnly: true,
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      key: 'reason',
      header: t('plugins.reason'),
      wideOnly: true,
      cell: server => (
        <Stack gap={0} align="flex-start">
          <Text size="xs" lineClamp={2} title={server.reason}>
            {problemOf(server)}
          </Text>
          {server.reason !== undefined && <LogAnchor text={server.name} />}
        </Stack>
      ),
    },
    {
      key: t('jobs.actions'),
      header: '',
      width: '9rem',
      cell: ({ name, tools }) => (
        <Stack gap={4} align="flex-end">
          <Button size="compact-xs" variant="subtle" aria-expanded={name === opened} onClick={() => toggle(name)}>
            {t('mcp.tools', { count: tools.length })}
          </Button>
          <Reconnect name={name} />
        </Stack>
      ),
    },
  ]
}

const Reconnect = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('operations')
  const notify = useNotify()
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const reconnect = useMutation({
    mutationFn: () => api.post(`/mcp/servers/${encodeURIComponent(name)}/reconnect`, { schema: mcpServerRecord }),
    onSuccess: ({ state }) => notify.done(t(state === 'ready' ? 'mcp.connected' : 'mcp.notReady', { name })),
    onError: error => notify.failed(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operator'] }),
  })
  if (!may('operator/write')) return null
  return (
    <Button size="compact-xs" variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate()}>
      {t('mcp.reconnect')}
    </Button>
  )
}
