import { Code, Table, Text } from '@mantine/core'
import type { JsonValue } from '@sibyl/protocol'

/** Members of an object with their values, as text. */
export const ValueTable = ({
  values,
  label,
}: {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly label: string
}) => (
  <Table layout="fixed" verticalSpacing={4} aria-label={label}>
    <Table.Tbody>
      {Object.entries(values).map(([name, value]) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" w="35%" fw={500} c="dimmed" style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
            {name}
          </Table.Th>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Value value={value} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

/** A JSON value as text. */
export const Value = ({ value }: { readonly value: JsonValue | undefined }) => {
  if (value === undefined)
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  if (typeof value === 'string') return <span style={{ whiteSpace: 'pre-wrap' }}>{value.slice(0, maxCharacters)}</span>
  if (typeof value === 'object' && value !== null) {
    return (
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {JSON.stringify(value, null, 2).slice(0, maxCharacters)}
      </Code>
    )
  }
  return <>{String(value)}</>
}

const maxCharacters = 5_000
