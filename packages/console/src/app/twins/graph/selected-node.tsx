import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { GraphRecord } from '@sibyl/plugin-entities/records'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Note } from '../../components/note.tsx'
import { NamedDid } from '../parts/links.tsx'
import { edgeId, type GraphNode, idOf } from './graph-model.ts'

/** The chosen node with its relationships as a list: the graph for those who do not see the picture. */
export const SelectedNode = ({
  node,
  graph,
  onSelect,
}: {
  readonly node: GraphNode
  readonly graph: GraphRecord
  readonly onSelect: (id: string) => void
}) => {
  const { t } = useTranslation('twins')
  const id = idOf(node)
  const edges = graph.edges.filter(({ from, to }) => from === id || to === id)
  return (
    <Paper withBorder p="sm" aria-live="polite">
      <Group gap="xs" mb={4}>
        {'did' in node ? <NamedDid did={node.did} /> : <OtherNode node={node} />}
        <Note>{t('graph.relationships', { count: edges.length })}</Note>
      </Group>
      <Stack component="ul" gap={2} m={0} p={0} mah="14rem" style={{ listStyle: 'none', overflow: 'auto' }}>
        {edges.slice(0, 100).map(edge => {
          const other = edge.from === id ? edge.to : edge.from
          const end = graph.nodes.find(one => idOf(one) === other)
          return (
            <Group key={edgeId(edge)} component="li" gap="xs">
              <Note>
                {edge.from === id ? '→' : '←'} {edge.relationship}
              </Note>
              {end && ('did' in end ? <NamedDid did={end.did} /> : <OtherNode node={end} />)}
              <Button size="compact-xs" variant="subtle" onClick={() => onSelect(other)}>
                {t('graph.expand')}
              </Button>
            </Group>
          )
        })}
      </Stack>
    </Paper>
  )
}

const OtherNode = ({ node }: { readonly node: Extract<GraphNode, { uri: string }> }) => {
  const { t } = useTranslation('twins')
  const label = `${t(`graph.kinds.${node.kind}`)} …${node.uri.slice(-6)}`
  if (node.kind !== 'claim') return <Text size="sm">{label}</Text>
  return (
    <Button
      size="compact-xs"
      variant="default"
      renderRoot={props => (
        <Link to="/twins/claims/$id" params={{ id: node.uri.replace('urn:uuid:', '') }} {...props} />
      )}
    >
      {label}
    </Button>
  )
}
