import { Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

/** A DID, shortened in the middle, with a button that copies it. */
export const Did = ({ value }: { readonly value: string }) => (
  <Group gap={4} wrap="nowrap" display="inline-flex">
    <Text span ff="monospace" size="xs" title={value}>
      {shortDid(value)}
    </Text>
    <CopyButton value={value} />
  </Group>
)

/** Returns the first and the last characters of a long DID. */
export const shortDid = (did: string): string => (did.length <= 32 ? did : `${did.slice(0, 18)}…${did.slice(-6)}`)
