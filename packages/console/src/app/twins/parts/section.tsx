import { Group, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a view with its heading. */
export const Section = ({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Group justify="space-between" mb="sm" gap="xs">
      <Title order={2}>{title}</Title>
      {actions}
    </Group>
    {children}
  </Paper>
)
