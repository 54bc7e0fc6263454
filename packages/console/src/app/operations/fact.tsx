import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A number or state with its name above and a note below. */
export const Fact = ({
  label,
  note,
  children,
}: {
  readonly label: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) => (
  <Paper withBorder p="xs">
    <Text size="xs" c="dimmed" truncate>
      {label}
    </Text>
    <Text component="div" size="lg" fw={600} lh={1.6} truncate>
      {children}
    </Text>
    <Text size="xs" c="dimmed" truncate title={typeof note === 'string' ? note : undefined}>
      {note ?? '\u00a0'}
    </Text>
  </Paper>
)
