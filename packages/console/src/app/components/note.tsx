import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A muted line: an explanation, or that there is nothing yet. */
export const Note = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
