import { Group, Stack, Text, Title } from '@mantine/core'
import type { McpServerRecord } from '@sibyl/plugin-mcp/records'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Note } from '../components/note.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'

type ServerTool = McpServerRecord['tools'][number]
type ChangedTool = McpServerRecord['changed'][number]

/** Tools of an MCP server: those that are offered, those that wait for a confirmation, and those that are left out. */
export const McpServerDetails = ({ server }: { readonly server: McpServerRecord }) => {
  const { t } = useTranslation('operations')
  const { name, tools, changed, leftOut } = server
  const columns = useColumns()
  return (
    <Stack gap="sm">
      <Title order={3} size="sm">
        {name}
      </Title>
      {changed.map(tool => (
        <Changed key={tool.name} server={name} tool={tool} />
      ))}
      <DataTable
        label={t('mcp.toolsOf', { name })}
        columns={columns}
        rows={tools}
        rowKey={tool => tool.name}
        rowHeight={64}
        maxHeight="30rem"
      />
      {leftOut.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t('mcp.leftOut')}
          </Text>
          {leftOut.map((tool, index) => (
            <Note key={`${index} ${tool.name}`}>
              {tool.name}: {tool.fault}
            </Note>
          ))}
        </div>
      )}
    </Stack>
  )
}

/** A changed or new tool with its definitions, and its confirmation. */
const Changed = ({ server, tool }: { readonly server: string; readonly tool: ChangedTool }) => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { may } = useAccess()
  const queries = useQueryClient()
  const { name, kind, fingerprint, changes } = tool
  return (
    <Stack gap={4} component="section" aria-label={name}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {name} · {t(`mcp.${kind}`)}
        </Text>
        {may('operator/write') && (
          <ConfirmButton
            label={t('mcp.confirm')}
            title={t('mcp.confirmTitle', { name })}
            color="brand"
            size="compact-xs"
            onConfirm={async () => {
              const body = { tools: [{ name, fingerprint }] }
              await api.post(`/mcp/servers/${encodeURIComponent(server)}/confirm`, { body })
              await queries.invalidateQueries({ queryKey: ['operator'] })
            }}
          >
            <Text size="sm">{t('mcp.confirmText')}</Text>
          </ConfirmButton>
        )}
      </Group>
      <JsonView value={changes} maxHeight={240} />
    </Stack>
  )
}

const useColumns = (): readonly Column<ServerTool>[] => {
  const { t } = useTranslation('operations')
  return [
    {
      key: 'tool',
      header: t('mcp.tool'),
      width: '11rem',
      cell: ({ offeredAs, description }, isNarrow) => (
        <Stack gap={0}>
          <Text size="sm" truncate title={offeredAs}>
            {offeredAs}
          </Text>
          {isNarrow && (
            <Text size="xs" c="dimmed" lineClamp={2} title={description}>
              {description}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'effect',
      header: t('mcp.effect'),
      width: '9rem',
      cell: ({ effect, approval }) => (
        <Stack gap={0}>
          <Text size="sm">{t(`mcp.${effect}`)}</Text>
          <Text size="xs" c="dimmed">
            {t(approval ? 'mcp.asks' : 'mcp.asksNot')}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'text',
      header: t('mcp.text'),
      wideOnly: true,
      cell: ({ description }) => (
        <Text size="xs" lineClamp={2} title={description}>
          {description}
        </Text>
      ),
    },
  ]
}
