import { Badge, Group, SimpleGrid, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../components/copy-button.tsx'
import { Did } from '../components/did.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import type { LoadedCapability } from '../session/access.ts'
import { useAccess } from '../session/console-context.tsx'
import { useOracleRecord } from '../session/use-oracle-record.ts'

/** The capabilities and the identity of the oracle, and where clients connect. */
export const HomeFacts = () => (
  <SimpleGrid cols={{ base: 1, md: 2 }}>
    <Capabilities capabilities={useAccess().capabilities} />
    <Identity />
  </SimpleGrid>
)

const colors = { ready: 'teal', pending: 'blue', degraded: 'orange', failed: 'red', excluded: 'gray' } as const

const Capabilities = ({ capabilities }: { readonly capabilities: readonly LoadedCapability[] }) => {
  const { t } = useTranslation('home')
  const on = capabilities.filter(({ state }) => state !== 'excluded')
  const off = capabilities.filter(({ state }) => state === 'excluded')
  return (
    <section>
      <Title order={2} mb="xs">
        {t('capabilities')}
      </Title>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {on.map(({ name, title, summary, state }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {summary}
                </Text>
              </Table.Td>
              <Table.Td w="6.5rem" ta="end">
                <Badge variant="dot" color={colors[state]} tt="none" fw={400}>
                  {t(`state.${state}`)}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {off.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('off')}: {off.map(({ title }) => title).join(', ')}
        </Text>
      )}
    </section>
  )
}

/** Endpoints that existing clients connect to, in the order shown. */
const clientEndpoints = ['openai', 'mcp-server', 'a2a', 'ag-ui', 'chat'] as const

const Identity = () => {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useOracleRecord()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <LoadingState />
  return (
    <section>
      <Title order={2} mb="xs">
        {t('identity')}
      </Title>
      <Table verticalSpacing={6} variant="vertical">
        <Table.Tbody>
          {data.did !== undefined && (
            <Table.Tr>
              <Table.Th w="8rem">{t('did')}</Table.Th>
              <Table.Td>
                <Did value={data.did} />
              </Table.Td>
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Th w="8rem">{t('publicDid')}</Table.Th>
            <Table.Td>
              <Did value={data.publicDid} />
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('access')}</Table.Th>
            <Table.Td>{t(data.access)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{t('version')}</Table.Th>
            <Table.Td>{data.version}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Title order={2} mt="md" mb="xs">
        {t('endpoints')}
      </Title>
      <Table verticalSpacing={4} variant="vertical">
        <Table.Tbody>
          {clientEndpoints.map(name => {
            const address = data.endpoints[name]
            return address === undefined ? null : (
              <Table.Tr key={name}>
                <Table.Th w="8rem">{name}</Table.Th>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <Text size="sm" ff="monospace">
                      {address}
                    </Text>
                    <CopyButton value={address} />
                  </Group>
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </section>
  )
}
