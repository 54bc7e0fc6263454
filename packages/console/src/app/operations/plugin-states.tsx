import { Paper, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import type { OperatorStatusRecord } from '@sibyl/operations/records'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Note } from '../components/note.tsx'
import { StateBadge } from './state-badge.tsx'

const order = ['failed', 'degraded', 'pending', 'ready', 'excluded']

/** Plugins, capabilities and adapters with the reasons of their states; those with problems first. */
export const PluginStates = ({ status }: { readonly status: OperatorStatusRecord }) => {
  const { t } = useTranslation('operations')
  const [shown, setShown] = useState<'on' | 'all'>('on')
  const all = [
    ...status.plugins.map(one => ({
      ...one,
      kind: one.plugin === undefined || one.plugin === one.name ? ('plugin' as const) : ('capability' as const),
    })),
    ...status.adapters.map(one => ({ ...one, kind: 'adapter' as const })),
  ].toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  const rows = shown === 'all' ? all : all.filter(({ state }) => state !== 'excluded')
  return (
    <Paper withBorder p="sm" id="plugins">
      <Stack gap="xs">
        <Text size="sm" fw={600} component="h2">
          {t('plugins.title')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('plugins.filter')}
          style={{ alignSelf: 'flex-start' }}
          value={shown}
          onChange={value => setShown(value as 'on' | 'all')}
          data={[
            { value: 'on', label: t('plugins.on') },
            { value: 'all', label: t('plugins.all', { count: all.length }) },
          ]}
        />
        <Table verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('plugins.name')}</Table.Th>
              <Table.Th w="7rem">{t('plugins.state')}</Table.Th>
              <Table.Th>{t('plugins.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ kind, name, title, state, reason }) => (
              <Table.Tr key={`${kind} ${name}`}>
                <Table.Td>
                  {title}{' '}
                  <Text span size="xs" c="dimmed">
                    {name}
                    {kind === 'plugin' ? '' : `, ${t(`plugins.${kind}`)}`}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StateBadge state={state} />
                </Table.Td>
                <Table.Td>
                  <Note>{reason ?? ''}</Note>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  )
}
