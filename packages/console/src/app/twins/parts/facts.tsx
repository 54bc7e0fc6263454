import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Names with their values; entries without a value are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="xs" m={0}>
    {facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
  </SimpleGrid>
)
