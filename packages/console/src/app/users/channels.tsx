import { Group, Text } from '@mantine/core'
import type { PersonSummary } from '@sibyl/operations/records'

/** Masked addresses of a person, by channel. */
export const Channels = ({ channels }: Pick<PersonSummary, 'channels'>) => (
  <Group gap={8}>
    {channels.map(({ plugin, address }) => (
      <Text key={`${plugin} ${address}`} size="sm" title={plugin}>
        {address}
      </Text>
    ))}
  </Group>
)
