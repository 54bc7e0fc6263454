import { Anchor, Code, Paper, Stack, Table, Text } from '@mantine/core'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/use-format.ts'
import type { FlowEdge } from '../parts/flow-record.ts'
import { screenTitle, wordsOf } from '../parts/screen-title.ts'
import { type Counts, noCounts } from './screen-counts.ts'

/** One screen: its text, the ways from it, and its counts. */
export const ScreenDetails = ({
  flow,
  counts,
  language,
  screen,
  onSelect,
}: {
  readonly flow: FlowRecord
  readonly counts: ReadonlyMap<string, Counts>
  readonly language: string
  readonly screen: string
  readonly onSelect: (screen: string) => void
}) => {
  const { t } = useTranslation('phone')
  const { number } = useFormat()
  const node = flow.nodes.find(({ id }) => id === screen)
  const titleOf = (id: string): string => {
    const target = flow.nodes.find(one => one.id === id)
    return target ? screenTitle(target, language) : id === 'exit' ? t('flow.exit') : wordsOf(id)
  }
  const counted = counts.get(screen) ?? noCounts
  const facts = ['entered', 'continued', 'endedByFlow', 'endedByUser', 'timedOut', 'errors'] as const
  const ways = flow.edges.filter(({ from }) => from === screen)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('details.title')}>
      <Stack gap="sm">
        <div>
          <Text fw={600}>{titleOf(screen)}</Text>
          <Text size="xs" c="dimmed">
            {node ? t(`kind.${node.kind}`) : t('table.gone')} · <Code>{screen}</Code>
          </Text>
        </div>
        {node && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} lang={language} dir="auto">
            {node.text?.[language] ?? (node.kind === 'action' ? t('details.action') : t('details.computed'))}
          </Text>
        )}
        {ways.length > 0 && (
          <Stack gap={6}>
            <Text size="sm" fw={600}>
              {t('details.ways')}
            </Text>
            {ways.map(edge => (
              <Stack key={JSON.stringify([edge.to, edge.kind, edge.key, edge.label])} gap={0} align="flex-start">
                <Text size="xs" c="dimmed">
                  {wayText(edge, language, t)} →
                </Text>
                {flow.nodes.some(({ id }) => id === edge.to) ? (
                  <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onSelect(edge.to)}>
                    {titleOf(edge.to)}
                  </Anchor>
                ) : (
                  <Text size="sm">{titleOf(edge.to)}</Text>
                )}
              </Stack>
            ))}
          </Stack>
        )}
        <Table verticalSpacing={2} horizontalSpacing={0} withRowBorders={false}>
          <Table.Tbody>
            {facts.map(fact => (
              <Table.Tr key={fact}>
                <Table.Th fw={400}>{t(`table.${fact}`)}</Table.Th>
                <Table.Td ta="end">{number(counted[fact])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  )
}

type Translate = ReturnType<typeof useTranslation<'phone'>>['t']

const wayText = ({ key, label, kind }: FlowEdge, language: string, t: Translate): string => {
  const name = label?.[language] ?? (kind === 'option' ? '' : t(`way.${kind}`))
  return [key, name].filter(Boolean).join('. ')
}
